import { isObject, type StopReason, type Usage } from '../../core/index.ts';

/** A finish part of version 2 or 3. */
export interface FinishPart {
  readonly finishReason: unknown;
  readonly usage: unknown;
}

/** The reason of a finish part; undefined when it does not vouch for the reply. */
export function finishReason(
  part: FinishPart,
): Exclude<StopReason, 'error' | 'aborted'> | 'content-filter' | undefined {
  const reason = isObject(part.finishReason) ? part.finishReason.unified : part.finishReason;
  const raw = isObject(part.finishReason) ? part.finishReason.raw : part.finishReason;
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'tool-calls':
      return 'tool_calls';
    case 'length':
    case 'content-filter':
      return reason;
    case 'other':
      // A reason that the adapter has no word for is one; none at all is a cut.
      return typeof raw === 'string' && raw !== '' ? 'stop' : undefined;
    default:
      return undefined;
  }
}

/** Usage of version 2 (plain numbers) or 3 (totals with their parts). */
export function finishUsage(part: FinishPart): Usage | undefined {
  if (!isObject(part.usage)) return undefined;
  const { inputTokens: input, outputTokens: output, cachedInputTokens, reasoningTokens } = part.usage;
  const fields = {
    inputTokens: isObject(input) ? input.total : input,
    outputTokens: isObject(output) ? output.total : output,
    cachedInputTokens: isObject(input) ? input.cacheRead : cachedInputTokens,
    reasoningTokens: isObject(output) ? output.reasoning : reasoningTokens,
  };
  const known = Object.entries(fields).filter(([, value]) => typeof value === 'number');
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}
