import type { AnsweredAsk, AnswerOutcome, AskRecord } from './ports/asks.ts';

/** What becomes of an answer to this ask at that time; both drivers judge alike. */
export function judgeAnswer(ask: AskRecord | undefined, to: AnsweredAsk, at: number): AnswerOutcome {
  if (ask === undefined) return 'not_found';
  if (ask.sessionId !== to.sessionId) return 'wrong_session';
  if (ask.hash !== to.hash) return 'wrong_hash';
  const ranOut = at >= ask.expiresAt;
  if (ask.resolution === undefined) return ranOut ? 'expired' : 'resolved';
  return ranOut && ask.resolution.outcome === 'unanswered' ? 'expired' : 'already_resolved';
}
