import type { HandLoop } from './loop.ts';

/** What one writes in an afternoon: fetch, the whole history encoded at each step, calls run when the reply has ended. */
export const floorFetch: HandLoop = async (baseUrl, model, tool) => {
  const { name, description, parameters } = tool;
  const tools = [{ type: 'function', function: { name, description, parameters } }];
  const messages: object[] = [{ role: 'user', content: 'go' }];
  for (;;) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, tools, messages }),
    });
    if (!response.ok || !response.body) throw new Error(`status ${response.status}: ${await response.text()}`);
    const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
    let text = '';
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue;
        const { delta } = JSON.parse(line.slice(6)).choices[0];
        text += delta.content ?? '';
        for (const part of delta.tool_calls ?? []) {
          calls[part.index] ??= {
            id: part.id,
            type: 'function',
            function: { name: part.function.name, arguments: '' },
          };
          const call = calls[part.index];
          if (call) call.function.arguments += part.function.arguments;
        }
      }
    }
    if (calls.length === 0) return text;
    messages.push({ role: 'assistant', content: null, tool_calls: calls });
    for (const call of calls) {
      const content = tool.run(JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
};
