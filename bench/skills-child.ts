import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createRuntime } from 'toolwright';

/** Reads the skills of a home in a process of its own (`argv`: floor or ours, home, what is measured). */
const [who = '', home = '', kind = ''] = process.argv.slice(2);

async function floor(): Promise<() => Promise<number>> {
  const { parse } = await import('yaml');
  const known: { description: string }[] = [];
  const root = join(home, 'skills');
  const names = await readdir(root);
  for (const name of names) {
    const text = await readFile(join(root, name, 'SKILL.md'), 'utf8');
    known.push({ description: parse(text.split('---\n')[1] ?? '').description });
  }
  return async () => {
    for (const name of names) await stat(join(root, name, 'SKILL.md'));
    return known.length;
  };
}

async function ours(): Promise<() => Promise<number>> {
  const runtime = await createRuntime({ cwd: home, env: { TOOLWRIGHT_HOME: home } });
  const look = async () => (await runtime.skills.view()).skills().length;
  await look();
  return look;
}

let peak = process.memoryUsage.rss();
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
const timed = async <Value>(work: () => Promise<Value>): Promise<[Value, number]> => {
  const began = performance.now();
  return [await work(), performance.now() - began];
};
const [again, firstMs] = await timed(who === 'floor' ? floor : ours);
await new Promise((resolve) => setTimeout(resolve, 100));
await again();
const [found, againMs] = await timed(again);
clearInterval(timer);
const mb = Math.max(peak, process.memoryUsage.rss()) / 1_048_576;
console.log(JSON.stringify({ found, value: kind === 'time' ? firstMs : kind === 'again' ? againMs : mb }));
