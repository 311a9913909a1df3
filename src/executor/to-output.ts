import {
  type CallError,
  callError,
  errorOutput,
  errorText,
  isToolOutput,
  messageOf,
  type Tool,
  type ToolOutput,
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
  if (value instanceof Uint8Array) {
    return { content: `(binary data, ${value.byteLength} bytes, not shown)`, data: { bytes: value.byteLength } };
  }
  try {
    const text = JSON.stringify(value, null, 2);
    return text === undefined ? { content: String(value) } : { content: text, data: value };
  } catch (error) {
    return errorOutput(
      callError('failed', `${tool.name} returned a value that cannot be written as JSON: ${messageOf(error)}`, {
        hint: 'This is a fault of the tool, not of your input; go on without it.',
      }),
    );
  }
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
