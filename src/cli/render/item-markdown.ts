import type { TimelineItem, WireContent } from '../../wire/index.ts';

/** One item of a session's timeline, as Markdown. */
export function itemToMarkdown(item: TimelineItem): string {
  switch (item.kind) {
    case 'user':
      return `**User**\n\n${textOf(item.content)}`;
    case 'text':
      return `**Model**\n\n${item.text}`;
    case 'thinking':
      return `*${item.text}*`;
    case 'call': {
      const input = fenced(JSON.stringify(item.arguments ?? {}, null, 2), 'json');
      const output = item.output === undefined ? '' : `\n\n${fenced(textOf(item.output))}`;
      return `**${item.name}** (${item.status})\n\n${input}${output}`;
    }
    case 'notification':
      return `> ${item.text.replaceAll('\n', '\n> ')}`;
    case 'error':
      return `> ${item.code}: ${item.message}`;
    default:
      return `---\n\n*The run ended: ${item.reason}*`;
  }
}

/** In a fence that is longer than any that the text holds. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function textOf(content: WireContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '[a picture]')).join('\n');
}
