import { resolve } from 'node:path';
import { isToolwrightError, messageOf } from '../core/index.ts';
import { parseRule, parseVariable, type RuntimeOptions, type SessionOptions } from '../runtime/index.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from './flags.ts';
import { UsageError } from './report-error.ts';

export function runtimeOptions(flags: ToolFlags): RuntimeOptions {
  return {
    ...(flags.cwd === undefined ? {} : { cwd: resolve(flags.cwd) }),
    ...(flags.trustProject === undefined ? {} : { trustProject: flags.trustProject }),
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(flags.toolsDir === undefined ? {} : { toolsDirs: flags.toolsDir.map((dir) => resolve(dir)) }),
  };
}

/** For commands that run no tool: no MCP server is started. */
export function toollessOptions(flags: ToolFlags): RuntimeOptions {
  return { ...runtimeOptions(flags), mcpServers: [] };
}

/** `cwd` is left to the session's own folder unless the flag is set. */
export function sessionOptions(flags: ToolFlags & RuleFlags & SessionFlags): SessionOptions {
  checkRules(flags);
  checkVariables(flags);
  return {
    ...(flags.cwd === undefined ? {} : { cwd: resolve(flags.cwd) }),
    ...(flags.addDir === undefined ? {} : { addDirs: flags.addDir.map((dir) => resolve(dir)) }),
    ...(flags.tools === undefined ? {} : { tools: namesOf(flags.tools) }),
    ...(flags.skills === undefined ? {} : { skills: namesOf(flags.skills) }),
    ...(flags.env === undefined ? {} : { env: flags.env }),
    ...(flags.agentMode === undefined ? {} : { agentMode: flags.agentMode }),
    ...(flags.permissionMode === undefined ? {} : { mode: flags.permissionMode }),
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.ask === undefined ? {} : { ask: flags.ask }),
    ...(flags.deny === undefined ? {} : { denyRules: flags.deny }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.session === undefined ? {} : { id: flags.session }),
    ...(flags.maxSteps === undefined ? {} : { maxSteps: flags.maxSteps }),
    ...(flags.thinking === undefined ? {} : { thinking: flags.thinking }),
  };
}

export function namesOf(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function checkVariables({ env = [] }: ToolFlags): void {
  try {
    for (const entry of env) parseVariable(entry);
  } catch (error) {
    throw new UsageError(`--env: ${messageOf(error)}`, isToolwrightError(error) ? error.hint : undefined);
  }
}

function checkRules(flags: RuleFlags): void {
  for (const kind of ['allow', 'ask', 'deny'] as const) {
    for (const rule of flags[kind] ?? []) {
      try {
        parseRule(rule);
      } catch (error) {
        throw new UsageError(
          `--${kind} "${rule}" is not a rule: ${messageOf(error)}`,
          "Rules look like 'run_bash', 'run_bash(git status:*)', 'file_edit(src/**)' or 'mcp__github__*'.",
        );
      }
    }
  }
}
