import { cpus, loadavg } from 'node:os';
import { earlyDispatch } from './early-dispatch.ts';
import { measure, report } from './harness.ts';
import { loopOverhead } from './loop-overhead.ts';

const benches = [loopOverhead(200), earlyDispatch(5, 200)];

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
