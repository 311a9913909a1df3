import { ToolwrightError } from '../../core/index.ts';

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Refuses text that no file can hold: half of a character would be written as another one. */
export function requireWellFormed(name: string, text: string): void {
  if (!LONE_SURROGATE.test(text)) return;
  throw new ToolwrightError('invalid_input', `${name} holds half of a character (a lone surrogate).`, {
    hint: 'Write the character whole.',
  });
}
