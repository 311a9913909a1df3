import fc from 'fast-check';
import { expect } from 'vitest';
import '../../../test/fixed-seed.ts';
import { verifies } from '../../../test/verifies.ts';
import { cutStart } from '../../core/index.ts';
import { createTextTail } from './text-tail.ts';

verifies(
  'tools/run-bash',
  'the end of a growing text is that of the whole, whatever its pieces and whenever it is read',
  () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constant('x'.repeat(40)),
      fc.constant('\u{1f600}'.repeat(9)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (pieces, max) => {
          const tail = createTextTail(max);
          let whole = '';
          for (const [text, isRead] of pieces) {
            tail.add(text);
            whole += text;
            if (isRead) expect(tail.text).toBe(cutStart(whole, max));
          }
          expect(tail.text).toBe(cutStart(whole, max));
        },
      ),
    );
  },
);
