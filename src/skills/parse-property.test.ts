import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { parseSkill } from './parse-skill.ts';

/** More of them, once: `SKILL_TRIALS=100000`. */
const trials = Number(process.env['SKILL_TRIALS'] ?? 1_500);

const sign = fc.constantFrom(
  ...'ab:#-[]{}&*!|>%@`"\'\\,? \t\n\r\uFEFF\u0000\u2028é技',
  '---',
  '- ',
  ': ',
  '\r\n',
  '<<: ',
  '*a',
  '&a ',
);
const noise = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(''));
const field = fc.tuple(
  fc.constantFrom('name', 'description', 'metadata', 'allowed-tools', 'always', 'x', '__proto__'),
  noise,
);
const text = fc.oneof(
  noise,
  fc
    .tuple(fc.array(field, { maxLength: 6 }), noise)
    .map(([fields, body]) => `---\n${fields.map(([name, value]) => `${name}: ${value}`).join('\n')}\n---\n${body}`),
);

verifies(
  'skills/bad-input',
  'no text of a SKILL.md or skill.yaml makes reading throw, or a name that could be a path',
  () => {
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (main, extra) => {
        const parsed = parseSkill({
          text: main,
          file: '/s/a/SKILL.md',
          folder: '/s/a',
          ...(extra === undefined ? {} : { extra: { text: extra, file: '/s/a/skill.yaml' } }),
        });
        expect(parsed.skill === undefined).toBe(parsed.skipped !== undefined);
        expect(parsed.name).not.toMatch(/[/\\]|\p{Cc}|^\.*$/u);
        const lines = Math.max(...[main, extra ?? ''].map((each) => each.split(/\r\n?|\n/).length)) + 1;
        for (const { line } of parsed.diagnostics) if (line !== undefined) expect(line).toBeLessThanOrEqual(lines);
        if (parsed.skill) {
          expect(parsed.skill.description).not.toMatch(/^\s*$|\n|\r|\uFEFF/);
          expect(typeof parsed.skill.always).toBe('boolean');
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: trials },
    );
  },
);
