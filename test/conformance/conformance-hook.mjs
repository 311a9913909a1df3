// The suite imports a function that Node 20 lacks and that it does not need here.
import { register } from 'node:module';

const hook = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('@modelcontextprotocol/conformance/dist/index.js')) return loaded;
  const source = String(loaded.source)
    .replace(/globSync as (\\w+),/, '')
    .replace(/^(#!.*\\n)?/, (first) => first + 'const o=()=>[];');
  return { ...loaded, format: 'module', source, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
