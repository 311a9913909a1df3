import { isObject, type JsonObject, type Message } from '../core/index.ts';

/** What a message says of the skill that its text is. It stands in the message's metadata, so that compaction can keep the text. */
export interface SkillMark {
  readonly name: string;
  readonly tokens: number;
  readonly hash: string;
  /** Skills that are not active any more from here on. */
  readonly dropped: readonly string[];
}

export interface ActiveSkill extends SkillMark {
  /** The message's or call's id. */
  readonly id: string;
}

/**
 * The skills whose text stands in a conversation, oldest first. `recent` are those of calls whose results are not
 * in it yet; one whose call it does not hold does not count.
 */
export function activeSkills(messages: readonly Message[], recent: readonly ActiveSkill[]): Map<string, ActiveSkill> {
  const active = new Map<string, ActiveSkill>();
  const calls = new Set<string>();
  const answered = new Set<string>();
  const take = (skill: ActiveSkill) => {
    active.delete(skill.name);
    active.set(skill.name, skill);
    for (const name of skill.dropped) active.delete(name);
  };
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) calls.add(call.id);
    if (message.role === 'tool') answered.add(message.toolCallId);
    const mark = markOf(message);
    if (mark) take({ ...mark, id: message.role === 'tool' ? message.toolCallId : message.id });
  }
  for (const skill of recent) if (calls.has(skill.id) && !answered.has(skill.id)) take(skill);
  return active;
}

/** The mark of a message that is a skill's text. */
function markOf(message: Message): SkillMark | undefined {
  const { metadata } = message;
  const data = message.role === 'tool' ? metadata?.['data'] : metadata;
  const mark = isObject(data) ? data['skill'] : undefined;
  if (!isObject(mark)) return undefined;
  const { name, tokens, hash, dropped } = mark;
  if (typeof name !== 'string' || typeof tokens !== 'number' || typeof hash !== 'string') return undefined;
  const names = Array.isArray(dropped) ? dropped.filter((each) => typeof each === 'string') : [];
  return { name, tokens, hash, dropped: names };
}

export const asMetadata = ({ name, tokens, hash, dropped }: SkillMark): JsonObject => ({
  skill: { name, tokens, hash, dropped: [...dropped] },
});
