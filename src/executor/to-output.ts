import {
  type CallError,
  callError,
  errorOutput,
  errorText,
  isToolOutput,
  messageOf,
  type Tool,
  type ToolOutput,
  toCallError,
} from '../core/index.ts';
import { checkOutput } from '../schema/index.ts';

const NOTHING = '(no output)';

/** What a tool returned, as an output; checked against the tool's own `output` schema when it has one. */
export async function toOutput(tool: Tool, value: unknown): Promise<ToolOutput> {
  const output = isToolOutput(value) ? value : undefined;
  if (tool.output !== undefined && !output?.error) {
    const checked = await checkOutput(tool.output, output ? output.data : value);
    if (!checked.ok) {
      return errorOutput(
        callError(
          'failed',
          `${tool.name} returned a value that breaks its output schema at ${checked.pointer || '/'}: ${checked.message}`,
          {
            hint: 'This is a fault of the tool, not of your input; go on without it.',
          },
        ),
      );
    }
  }
  return output ?? fromValue(tool, value);
}

function fromValue(tool: Tool, value: unknown): ToolOutput {
  if (typeof value === 'string') return { content: value };
  if (value === undefined || value === null) return { content: '' };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { content: `(binary data, ${value.byteLength} bytes, not shown)`, data: { bytes: value.byteLength } };
  }
  if (value instanceof Error) return errorOutput(toCallError(value));
  const odd = oddKind(value);
  if (odd !== undefined) return noJson(tool, `returned ${odd}, which says nothing as JSON`);
  try {
    const text = JSON.stringify(value, null, 2);
    return text === undefined ? { content: '' } : { content: text, data: value };
  } catch (error) {
    return noJson(tool, `returned a value that cannot be written as JSON: ${messageOf(error)}`);
  }
}

function noJson(tool: Tool, what: string): ToolOutput {
  const hint = 'This is a fault of the tool, not of your input; go on without it.';
  return errorOutput(callError('failed', `${tool.name} ${what}`, { hint }));
}

/** What a value is that JSON would show as nothing, or as an object with nothing in it: a function, a Map, a stream. */
function oddKind(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (Object.keys(value).length > 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined;
  return `an object of the kind ${Object.prototype.toString.call(value).slice(8, -1)}`;
}

/** An output with something to read in it: an error's text, or a word that says that there was nothing. */
export function neverEmpty(output: ToolOutput): ToolOutput {
  if (output.content.length > 0) return output;
  return { ...output, content: output.error ? errorText(output.error) : NOTHING };
}

/** What a tool gave after it had been told to stop: kept, but as the error that it is. */
export function stoppedOutput(output: ToolOutput, cause: CallError): ToolOutput {
  if (output.error) return output;
  const partial = typeof output.content === 'string' ? output.content : '';
  const text = errorText(cause);
  return { ...output, content: partial === '' ? text : `${text}\nWhat it gave before that:\n${partial}`, error: cause };
}
