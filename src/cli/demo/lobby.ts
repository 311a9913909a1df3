import type { Session } from '../../runtime/index.ts';
import type { Io } from '../io.ts';
import type { RunView } from '../render/run-view.ts';

/** Lines of a person, each one run, until `exit` or the end of input. */
export async function lobby(io: Io, session: Session, view: RunView): Promise<void> {
  await io.out('\nYour turn: type such a line yourself, or anything else for help. `exit` ends.\n');
  const prompt = await io.openPrompt();
  const leave = new AbortController();
  prompt.on('close', () => leave.abort());
  try {
    while (!leave.signal.aborted) {
      const line = await prompt.question('> ', { signal: leave.signal });
      if (['exit', 'quit'].includes(line.trim())) return;
      if (line.trim() === '') continue;
      for await (const events of session.run(line).batches()) {
        await io.out(events.map((event) => view.push(event)).join(''));
      }
    }
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  } finally {
    prompt.close();
  }
}
