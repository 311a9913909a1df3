import { z } from 'zod';
import type { Json } from '../core/index.ts';
import { contentSchema, messageSchema } from './message.ts';

const envelope = {
  session_id: z.string(),
  /** Grows along the session; gaps are legal. */
  seq: z.int().nonnegative(),
  /** Seconds since the epoch. */
  ts: z.number(),
  agent_name: z.string().optional(),
  /** In a subagent: the call that started it. */
  parent_call_id: z.string().optional(),
};

const usage = z.object({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cached_input_tokens: z.number().optional(),
  reasoning_tokens: z.number().optional(),
});

const callId = { id: z.string(), tool_call_id: z.string(), name: z.string() };
const step = z.int().nonnegative();

const runStart = z.object({
  type: z.literal('run_start'),
  ...envelope,
  run_id: z.string(),
  step: z.literal(0),
  model: z.string(),
});

const turnStart = z.object({ type: z.literal('turn_start'), ...envelope, run_id: z.string(), step });

const turnEnd = z.object({
  type: z.literal('turn_end'),
  ...envelope,
  run_id: z.string(),
  step,
  usage: usage.optional(),
  /** The reply's text is void: the same turn is asked again. */
  discarded: z.boolean().optional(),
});

const runEnd = z.object({
  type: z.literal('run_end'),
  ...envelope,
  run_id: z.string(),
  /** How many steps the run had. */
  step,
  reason: z.enum(['stop', 'max_steps', 'length', 'budget', 'cancelled', 'error']),
  usage,
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

const textDelta = z.object({ type: z.literal('text_delta'), ...envelope, text: z.string() });
const thinkingDelta = z.object({ type: z.literal('thinking_delta'), ...envelope, text: z.string() });
const toolCallDelta = z.object({
  type: z.literal('tool_call_delta'),
  ...envelope,
  tool_call_id: z.string(),
  name: z.string(),
  text: z.string(),
});

const withEnvelope = { type: z.literal('message'), ...envelope };
const [system, user, assistant, tool] = messageSchema.options;
const message = z.discriminatedUnion('role', [
  system.extend(withEnvelope),
  user.extend(withEnvelope),
  assistant.extend(withEnvelope),
  tool.extend(withEnvelope),
]);

const toolCall = z.object({
  type: z.literal('tool_call'),
  ...envelope,
  ...callId,
  /** The input as it runs; the raw text when it could not be parsed. */
  arguments: z.unknown(),
  step,
});

const toolProgress = z.object({
  type: z.literal('tool_progress'),
  ...envelope,
  tool_call_id: z.string(),
  text: z.string(),
  stream: z.enum(['stdout', 'stderr', 'info']),
  /** True once per call, last. */
  closed: z.boolean(),
  /** Bytes of this stream that came before `text`; a gap means that a slow reader missed some. */
  offset: z.int().nonnegative(),
});

const toolResult = z.object({
  type: z.literal('tool_result'),
  ...envelope,
  ...callId,
  output: contentSchema,
  is_error: z.boolean(),
  error: z
    .object({ code: z.string(), message: z.string(), retryable: z.boolean(), hint: z.string().optional() })
    .optional(),
  /** The result's data, for screens. */
  metadata: z.unknown().optional(),
  stored: z.object({ id: z.string(), path: z.string(), bytes: z.number() }).optional(),
  step,
  duration_ms: z.number(),
});

const json: z.ZodType<Json> = z.json();

const question = z.object({
  id: z.string(),
  type: z.enum(['single_choice', 'multiple_choice', 'text', 'number', 'integer', 'boolean']),
  title: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string().optional() })).optional(),
  default: json.optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
});

const ask = z.object({
  type: z.literal('ask'),
  ...envelope,
  id: z.string(),
  kind: z.enum(['permission', 'question', 'elicitation']),
  tool_call_id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  reason: z.string(),
  /** An answer names it: it stands for exactly what would run. */
  hash: z.string(),
  questions: z.array(question).optional(),
  suggestions: z.array(
    z.object({ scope: z.enum(['once', 'session', 'always']), rule: z.string().optional(), allows: z.string() }),
  ),
  /** Seconds since the epoch, as all times here. */
  created_at: z.number(),
  expires_at: z.number(),
});

const askResolved = z.object({
  type: z.literal('ask_resolved'),
  ...envelope,
  id: z.string(),
  outcome: z.enum(['approved', 'denied', 'answered', 'declined', 'unanswered', 'superseded', 'cancelled']),
  /** Who or what ended it. */
  by: z.string(),
});

const toolsSelected = z.object({
  type: z.literal('tools_selected'),
  ...envelope,
  offered: z.array(z.string()),
  strategy: z.string(),
  expanded: z.array(z.string()),
  /** Names asked for that exist nowhere. */
  unknown: z.array(z.string()),
});

/** A background task has ended; told once. */
const notification = z.object({
  type: z.literal('notification'),
  ...envelope,
  task_id: z.string(),
  status: z.string(),
  text: z.string(),
});

const error = z.object({
  type: z.literal('error'),
  ...envelope,
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
});

const heartbeat = z.object({ type: z.literal('heartbeat'), ...envelope });

/** Everything that crosses a process boundary as an event, told apart by `type`. */
export const eventSchema = z.discriminatedUnion('type', [
  runStart,
  turnStart,
  turnEnd,
  runEnd,
  textDelta,
  thinkingDelta,
  toolCallDelta,
  message,
  toolCall,
  toolProgress,
  toolResult,
  ask,
  askResolved,
  toolsSelected,
  notification,
  error,
  heartbeat,
]);

export type WireEvent = z.infer<typeof eventSchema>;
export type WireUsage = z.infer<typeof usage>;
/** The wire event of one type. */
export type WireEventOf<Type extends WireEvent['type']> = Extract<WireEvent, { type: Type }>;
