import { cpus, loadavg } from 'node:os';
import { bigArgument } from './big-argument.ts';
import { cancel } from './cancel.ts';
import { earlyDispatch } from './early-dispatch.ts';
import { grep } from './grep.ts';
import { measure, report } from './harness.ts';
import { loopOverhead } from './loop-overhead.ts';
import { makespan } from './makespan.ts';
import { manySessions } from './many-sessions.ts';
import { manyTools } from './many-tools.ts';
import { mcpCall } from './mcp-call.ts';
import { memory } from './memory.ts';
import { policyReplay } from './policy-replay.ts';
import { progress } from './progress.ts';
import { sandboxLatency, sandboxOutput } from './remote-sandbox.ts';
import { shellStream } from './shell-stream.ts';
import { skills } from './skills.ts';
import { sqlite } from './sqlite.ts';
import { toolsInLoop } from './tools-in-loop.ts';

const benches = [
  ...[50, 100, 200, 400].map(loopOverhead),
  makespan,
  earlyDispatch(5, 200),
  manyTools(1_000),
  manyTools(10_000),
  toolsInLoop(1_000, 50),
  manySessions(64, 10),
  cancel,
  progress('time'),
  progress('gap'),
  bigArgument(320),
  grep,
  sqlite,
  sandboxLatency,
  sandboxOutput,
  policyReplay,
  shellStream('time', 128),
  shellStream('growth', 1_024),
  mcpCall,
  memory(400),
  skills(3_000, 'time'),
  skills(3_000, 'again'),
  skills(3_000, 'memory'),
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(', ')}; there are: ${benches.map((bench) => bench.name).join(', ')}`);
  process.exit(2);
}
console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  try {
    console.log(report(bench, await measure(bench)));
  } catch (error) {
    console.error(`\n${bench.name} FAILED: the work's result is wrong.`, error);
    process.exitCode = 1;
  }
}
