import type { AgentEvent, Message, ToolResult } from '../../../core/index.ts';
import type { SessionRecord } from '../../../store/index.ts';

export const record = (id: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  createdAt: 1_000,
  updatedAt: 1_000,
  agentName: 'main',
  model: 'manual',
  status: 'idle',
  summary: 'Look around',
  usage: { inputTokens: 3 },
  metadata: { folder: '/work', nested: { list: [1, null, true] } },
  ...more,
});
export const user = (id: string, content: string): Message => ({ id, role: 'user', content });
export const messageEvent = (sessionId: string, seq: number, message: Message): AgentEvent => ({
  type: 'message',
  message,
  sessionId,
  seq,
  ts: 1.25,
});
export const errorEvent = (sessionId: string, seq: number, message: string): AgentEvent => ({
  type: 'error',
  code: 'failed',
  message,
  retryable: false,
  sessionId,
  seq,
  ts: 1.5,
  agentName: 'main',
});
export const result = (callId: string, content: string): ToolResult => ({
  callId,
  name: 'echo',
  content,
  durationMs: 12.5,
});
export const started = (callId: string, runId = 'r1') => ({
  callId,
  runId,
  step: 0,
  name: 'echo',
  input: { text: callId },
  startedAt: 10,
});
export const ended = (callId: string, content: string, runId = 'r1') => ({
  runId,
  step: 0,
  endedAt: 22.5,
  input: { text: callId },
  result: result(callId, content),
});

/** What a JSON text of it would give back. */
export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const code = (expected: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === expected && 'hint' in error;

/** Texts that a database may stumble over. Each is given back exactly as it was. */
export const ODD_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  NUL: 'a\u0000b',
  'lone high surrogate': 'a\ud83d',
  'lone low surrogate': '\ude00b',
  emoji: '👩‍👩‍👧‍👦 🏴‍☠️',
  'combining marks': 'e\u0301 vs \u00e9',
  injection: `'; DROP TABLE agent_sessions; --`,
  'quotes and slashes': `"\\'\`%_?@$:1`,
  'its own mark': '\u0001json:"x"',
  'line ends': 'a\r\nb\u2028c\u0085',
  'a key of every object': '__proto__',
  '1 MB': '天'.repeat(350_000),
};
