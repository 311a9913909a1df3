import { floorHttp } from './floors/floor-http.ts';
import { echo } from './loop-overhead.ts';
import { openOurs } from './ours.ts';

/** Runs one loop in a process of its own (`argv`: floor or ours, base URL, steps) and prints its peak memory in MB. */
const [who = '', baseUrl = '', steps = ''] = process.argv.slice(2);
let peak = 0;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
const model = `steps-${steps}`;
let text = '';
if (who === 'floor') text = await floorHttp(baseUrl, model, echo);
else {
  const ours = await openOurs(baseUrl, echo);
  text = await ours.run(model);
  await ours.close();
}
clearInterval(timer);
console.log(JSON.stringify({ text, mb: Math.max(peak, process.memoryUsage.rss()) / 1_048_576 }));
