import type { TaskRecord } from '../../runtime/index.ts';

/** A background task as doors print it: snake case, times in seconds. */
export function taskToJson(task: TaskRecord): Record<string, unknown> {
  const { id, sessionId, agentName, kind, status, command, cwd, startedAt, endedAt, exitCode, signal } = task;
  return {
    task_id: id,
    session_id: sessionId,
    agent_name: agentName,
    kind,
    status,
    command,
    cwd,
    started_at: startedAt / 1_000,
    ended_at: endedAt === null ? null : endedAt / 1_000,
    exit_code: exitCode,
    signal,
    tail: task.tail,
    output: task.output,
    owner: { host: task.owner.host, pid: task.owner.pid },
  };
}
