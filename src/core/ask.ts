import type { Json } from './json.ts';

export type AskKind = 'permission' | 'question' | 'elicitation';

/** A standing answer that a person may give: a rule, or just this once. */
export interface SuggestedRule {
  readonly scope: 'once' | 'session' | 'always';
  /** Absent for `once`. */
  readonly rule?: string;
  /** What else it would allow, for people; empty when nothing else. */
  readonly allows: string;
}

/** One thing that a person is asked to fill in or choose. */
export interface AskQuestion {
  readonly id: string;
  readonly type: 'single_choice' | 'multiple_choice' | 'text' | 'number' | 'integer' | 'boolean';
  readonly title: string;
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
  readonly default?: Json;
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** What a person said to questions. No answer is never an empty answer. */
export type QuestionAnswer =
  | { readonly outcome: 'answered'; readonly answers: Readonly<Record<string, Json>> }
  | { readonly outcome: 'declined'; readonly reason?: string }
  | { readonly outcome: 'unanswered' };

export interface QuestionRequest {
  readonly kind: 'question' | 'elicitation';
  /** Why, or what about. */
  readonly reason: string;
  readonly questions: readonly AskQuestion[];
  /** Milliseconds until nobody is waited for. Default 5 minutes. */
  readonly timeoutMs?: number;
}

/** A question to the person as it is kept until it has its one final state. Times are milliseconds since the epoch. */
export interface Ask {
  readonly id: string;
  readonly sessionId: string;
  readonly kind: AskKind;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
  /** sha-256 of exactly what would run; an answer must name it. */
  readonly hash: string;
  readonly questions?: readonly AskQuestion[];
  readonly suggestions: readonly SuggestedRule[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type AskOutcome = 'approved' | 'denied' | 'answered' | 'declined' | 'unanswered' | 'superseded' | 'cancelled';

/** Puts questions to the session's person and waits; a tool has it only where somebody can answer. */
export type AskPower = (request: QuestionRequest) => Promise<QuestionAnswer>;
