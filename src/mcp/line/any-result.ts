import { z } from 'zod';

/** A result of whatever shape: it is read with patience where it is used, and never refused as a whole. */
export const anyResult = z.looseObject({});
