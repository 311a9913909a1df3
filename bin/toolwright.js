#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(entry)) process.exitCode = await (await import(entry.href)).main(process.argv.slice(2));
else {
  console.error('toolwright is not built yet: run `npm run build` in its folder, then try again.');
  process.exitCode = 1;
}
