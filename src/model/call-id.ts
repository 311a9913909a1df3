import { createHash } from 'node:crypto';

/** Longest id of a call that OpenAI takes. */
export const OPENAI_CALL_ID = /^.{1,40}$/s;
/** What Anthropic takes as id of a call. */
export const ANTHROPIC_CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * The id as the provider accepts it. A pure function, so that a call and its result keep meeting
 * in histories that another provider began.
 */
export function fitCallId(id: string, rule: RegExp): string {
  return rule.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
