import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { HandLoop, LoopTool } from './loop.ts';

interface Reply {
  text: string;
  id: string;
  arguments: string;
  result: string | undefined;
}

/**
 * The floor: as little as a loop can do over node:http. One kept connection, each message encoded once into
 * a body that only grows, a call run as soon as its arguments parse. No checks, no retries, nothing kept.
 */
export const floorHttp: HandLoop = async (baseUrl, model, tool, others = []) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { name } = tool;
  const tools = JSON.stringify(
    [tool, ...others].map((one) => {
      const { name, description, parameters } = one;
      return { type: 'function', function: { name, description, parameters } };
    }),
  );
  let body = `{"model":"${model}","stream":true,"tools":${tools},"messages":[{"role":"user","content":"go"}`;
  try {
    for (;;) {
      const reply = await ask(agent, baseUrl, `${body}]}`, tool);
      if (reply.id === '') return reply.text;
      const call = { id: reply.id, type: 'function', function: { name, arguments: reply.arguments } };
      body += `,${JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] })}`;
      body += `,${JSON.stringify({ role: 'tool', tool_call_id: reply.id, content: reply.result })}`;
    }
  } finally {
    agent.destroy();
  }
};

function ask(agent: Agent, baseUrl: string, body: string, tool: LoopTool): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const onResponse = (response: IncomingMessage) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      readReply(response, tool, resolve);
    };
    const sent: ClientRequest = request(`${baseUrl}/chat/completions`, { method: 'POST', agent, headers }, onResponse);
    sent.on('error', reject);
    sent.end(body);
  });
}

function readReply(response: IncomingMessage, tool: LoopTool, done: (reply: Reply) => void): void {
  const reply: Reply = { text: '', id: '', arguments: '', result: undefined };
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: {')) take(JSON.parse(line.slice(6)).choices[0].delta, reply, tool);
  });
  response.on('end', () => done(reply));
}

interface Delta {
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly arguments: string } }[];
}

function take(delta: Delta, reply: Reply, tool: LoopTool): void {
  if (delta.content) reply.text += delta.content;
  const call = delta.tool_calls?.[0];
  if (!call) return;
  if (call.id) reply.id = call.id;
  reply.arguments += call.function.arguments;
  if (call.function.arguments.endsWith('}')) reply.result = tool.run(JSON.parse(reply.arguments));
}
