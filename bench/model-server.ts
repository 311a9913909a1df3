import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A scripted chat-completions server, run as a process of its own. The model's name is the script:
 * `steps-N` asks for N calls of `echo`, one a turn; `open-N-MS` does the same with `stamp`, whose argument
 * is the moment of its last byte, and holds each stream open for MS milliseconds more; `big-N` asks once for
 * `take` with N kB of text. After the last
 * result it answers `valid`; a history that is not right gets status 400 at once.
 */
const server = createServer(async (request, response) => {
  const { model, messages } = JSON.parse(await read(request)) as { model: string; messages: ChatMessage[] };
  const [script = '', steps = '0', openMs = '0'] = model.split('-');
  const done = messages.filter((message) => message.role === 'tool').length;
  const wrong = script === 'big' ? undefined : wrongHistory(messages, script, done);
  if (script === 'big' && done === 0) await bigCall(response, Number(steps));
  else if (script === 'big') finish(response);
  else if (wrong !== undefined) refuse(response, wrong);
  else if (done >= Number(steps)) finish(response);
  else await call(response, script, done + 1, Number(openMs));
});

/** The whole request is read and checked at every step, as a real server reads it. */
async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, delta: object, finishReason: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'x', choices })}\n\n`);
}

async function call(response: ServerResponse, script: string, number: number, openMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const name = script === 'open' ? 'stamp' : 'echo';
  const head = { index: 0, id: `call_${number}`, type: 'function', function: { name, arguments: '' } };
  send(response, { role: 'assistant', content: null, tool_calls: [head] });
  const piece = (text: string) => send(response, { tool_calls: [{ index: 0, function: { arguments: text } }] });
  if (script === 'open') {
    piece('{"sent":"');
    await wait(5);
    piece(`${process.hrtime.bigint()}"}`);
    await wait(openMs);
  } else {
    for (const text of ['{"number', '":', String(number), '}']) piece(text);
  }
  send(response, {}, 'tool_calls');
  response.end('data: [DONE]\n\n');
}

/** One call whose only argument is so many kB of text, in pieces of 16 characters. */
async function bigCall(response: ServerResponse, kilobytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { index: 0, id: 'call_1', type: 'function', function: { name: 'take', arguments: '' } };
  send(response, { role: 'assistant', content: null, tool_calls: [head] });
  const text = `{"text":"${'0123456789abcdef'.repeat((kilobytes * 1_000) / 16)}"}`;
  for (let at = 0; at < text.length; at += 16) {
    send(response, { tool_calls: [{ index: 0, function: { arguments: text.slice(at, at + 16) } }] });
    if (at % 65_536 === 0) await wait(0);
  }
  send(response, {}, 'tool_calls');
  response.end('data: [DONE]\n\n');
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

function finish(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(response, { role: 'assistant', content: 'valid' });
  send(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
}

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
}

function wrongHistory(messages: readonly ChatMessage[], script: string, steps: number): string | undefined {
  const rest = messages.filter((message) => message.role !== 'system' && message.role !== 'user');
  if (rest.length !== 2 * steps) return `${rest.length} replies and results for ${steps} steps`;
  for (let step = 1; step <= steps; step++) {
    const [reply, result] = rest.slice(2 * step - 2, 2 * step);
    const asked = reply?.tool_calls?.[0];
    if (reply?.role !== 'assistant' || asked?.id !== `call_${step}`) return `step ${step}: the reply is wrong`;
    if (result?.tool_call_id !== asked.id) return `step ${step}: the result answers another call`;
    const input = JSON.parse(asked.function.arguments);
    const expected = script === 'open' ? 'stamped' : `echo ${input.number}`;
    if (result.content !== expected || (script !== 'open' && input.number !== step))
      return `step ${step}: wrong result`;
  }
  return undefined;
}

server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
