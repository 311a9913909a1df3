import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isToolwrightError, messageOf } from '../../core/index.ts';
import { createRuntime, findIsolation, hostEnv, makeFolder, type Runtime, ripgrepPath } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle } from '../render/style.ts';

interface Check {
  readonly name: string;
  /** `warn`: the house works, with less. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly hint?: string;
}

const LEAST_NODE = [20, 19] as const;
const PROGRAM_MS = 5_000;
const runProgram = promisify(execFile);

/** Looks at everything that the house needs; 1 when something that it cannot do without is missing. */
export async function doctor(io: Io, flags: RuntimeFlags): Promise<number> {
  const checks: Check[] = [nodeCheck()];
  let runtime: Runtime | undefined;
  try {
    const made = await createRuntime(toollessOptions(flags));
    runtime = made;
    checks.push({ name: 'settings', status: made.warnings.length > 0 ? 'warn' : 'ok', detail: settingsText(made) });
    checks.push(await check('home', () => homeText(made.settings.home)));
    checks.push(await check('database', () => databaseText(made)));
    checks.push(await check('model', () => modelText(made)));
  } catch (error) {
    checks.push(failed('settings', error));
  }
  try {
    checks.push(await check('ripgrep', ripgrepText));
    checks.push(...(await sandboxChecks(runtime)));
    const git = await check('git', () => firstLine('git', ['--version']));
    checks.push(git.status === 'ok' ? git : { ...git, status: 'warn', hint: 'Only tools that use git need it.' });
    await io.out(flags.json === true ? `${JSON.stringify({ checks })}\n` : shown(checks, io));
    return checks.some((entry) => entry.status === 'fail') ? 1 : 0;
  } finally {
    await runtime?.close();
  }
}

/** Every adapter: whether it can be used here and, if not, what is missing. */
async function sandboxChecks(runtime: Runtime | undefined): Promise<Check[]> {
  const chosen = runtime?.settings.sandbox;
  const { env } = await hostEnv('.');
  const local = await check('local', async () => {
    const { mechanism } = await findIsolation(env);
    return `${mechanism}: commands see the session's folders and programs, and no network unless it is set`;
  });
  return [
    { name: 'sandbox', status: 'ok', detail: `${chosen?.kind ?? 'passthrough'} is set; there are these:` },
    {
      name: 'passthrough',
      status: 'ok',
      detail: 'files held to the session folders, commands run on this machine with nothing between',
    },
    local.status === 'fail' && chosen?.kind !== 'local' ? { ...local, status: 'warn' } : local,
    {
      name: 'remote',
      status: chosen?.kind === 'remote' && chosen.url === undefined ? 'fail' : 'ok',
      detail: chosen?.url ?? 'needs the address of a `toolwright sandbox serve` in sandbox.url',
    },
  ];
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const detail = `${process.version} on ${process.platform} ${process.arch}`;
  return isNew
    ? { name: 'node', status: 'ok', detail }
    : { name: 'node', status: 'fail', detail, hint: `Node ${LEAST_NODE.join('.')} or newer is needed.` };
}

async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, status: 'ok', detail: await look() };
  } catch (error) {
    return failed(name, error);
  }
}

function failed(name: string, error: unknown): Check {
  const hint = isToolwrightError(error) ? error.hint : undefined;
  return { name, status: 'fail', detail: messageOf(error), ...(hint === undefined ? {} : { hint }) };
}

function settingsText({ settings, warnings }: Runtime): string {
  const { mode, allow, ask, deny } = settings.permissions;
  const rules = allow.length + ask.length + deny.length;
  return [`mode ${mode}, ${rules} rules`, ...warnings].join('; ');
}

async function homeText(home: string): Promise<string> {
  const probe = join(home, `.doctor-${process.pid}`);
  makeFolder(home);
  await writeFile(probe, '');
  await rm(probe, { force: true });
  return `${resolve(home)} can be written`;
}

async function databaseText(runtime: Runtime): Promise<string> {
  const newest = await runtime.sessions.list({ limit: 1 });
  return newest[0] === undefined ? 'opens; no session in it' : `opens; newest session ${newest[0].id}`;
}

async function modelText(runtime: Runtime): Promise<string> {
  const { id } = await runtime.model();
  return id === 'manual' ? 'manual (offline; set TOOLWRIGHT_MODEL or --model for another)' : id;
}

async function ripgrepText(): Promise<string> {
  const path = await ripgrepPath();
  if (path === undefined) throw new Error('the package brought none for this platform; searches will not work');
  return firstLine(path, ['--version']);
}

async function firstLine(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await runProgram(program, args, { timeout: PROGRAM_MS });
  return stdout.split('\n', 1)[0] ?? '';
}

function shown(checks: readonly Check[], io: Io): string {
  const style = createStyle(io.hasColor);
  const mark = { ok: style.green('ok  '), warn: style.yellow('warn'), fail: style.red('fail') };
  return checks
    .map(({ name, status, detail, hint }) => {
      const next = hint === undefined ? '' : `\n      ${' '.repeat(12)}${style.dim(hint)}`;
      return `${mark[status]}  ${name.padEnd(12)}${detail}${next}\n`;
    })
    .join('');
}
