import { ToolwrightError } from '../core/index.ts';

/** What both drivers answer alike. */
export const noSession = (id: string) =>
  new ToolwrightError('not_found', `There is no session ${JSON.stringify(id)}.`, {
    hint: 'List the sessions to see which there are.',
  });

export const sessionExists = (id: string) =>
  new ToolwrightError('conflict', `The session ${JSON.stringify(id)} exists already.`, {
    hint: 'Continue it, or take another id.',
  });

export const askExists = (id: string) =>
  new ToolwrightError('conflict', `The ask ${JSON.stringify(id)} exists already.`, { hint: 'Give it another id.' });

export const leaseLost = (id: string) =>
  new ToolwrightError('conflict', `The session ${JSON.stringify(id)} is no longer held by this process.`, {
    hint: 'The lease ran out or another process took it. Load the session again before going on.',
  });

export const alreadyWritten = (id: string) =>
  new ToolwrightError(
    'conflict',
    `The session ${JSON.stringify(id)} already has one of these rows; nothing was written.`,
    {
      hint: 'A sequence number or a call is used once. Load the session again before going on.',
    },
  );

export const storeClosed = () =>
  new ToolwrightError('unavailable', 'The store is closed.', { hint: 'Open it again to go on.' });
