import { type AskRecord, createRuntime } from '../../runtime/index.ts';
import { inputText } from '../ask-person.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { harmless } from '../render/style.ts';

/** The questions to the person that wait, of all sessions. */
export async function asksList(io: Io, flags: RuntimeFlags & { readonly session?: string }): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    const asks = await runtime.asks.list(flags.session === undefined ? {} : { sessionId: flags.session });
    if (flags.json) await io.out(`${JSON.stringify(asks)}\n`);
    else await io.out(asks.length === 0 ? 'Nothing is asked.\n' : asks.map(describe).join('\n'));
    return 0;
  } finally {
    await runtime.close();
  }
}

function describe({ id, sessionId, tool, input, reason, kind, questions = [], suggestions, expiresAt }: AskRecord) {
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  const rules = suggestions.flatMap(({ rule, allows }) =>
    rule === undefined ? [] : [`  rule ${harmless(rule)}${allows === '' ? '' : ` - allows ${harmless(allows)}`}\n`],
  );
  const fields = questions.map((question) => `  ${harmless(question.id)}: ${harmless(question.title)}\n`);
  const head = `${id}  ${kind} of ${harmless(tool)} in session ${sessionId}, until ${until} UTC\n`;
  return `${head}  ${harmless(reason)}\n${inputText(input)}\n${rules.join('')}${fields.join('')}`;
}
