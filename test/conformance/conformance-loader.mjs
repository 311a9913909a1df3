// The suite's command line asks node for `fs.globSync`, which node 20 has not and the command does not need.
import { register } from 'node:module';

const MODULE = '@modelcontextprotocol/conformance/dist/index.js';

/** A loader of its own thread, as text. */
const source = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes(${JSON.stringify(MODULE)})) return loaded;
  const text = String(loaded.source)
    .replace(/globSync as (\\w+),/, '')
    .replace(/^(#!.*\\n)?/, (head) => head + 'const o = () => [];');
  return { ...loaded, format: 'module', source: text, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(source)}`);
