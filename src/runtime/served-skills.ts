import type { ServedHouse } from '../mcp/index.ts';
import type { RuntimeSkills } from './skills.ts';

/** The one argument of a skill's prompt. */
const ARGUMENTS = { name: 'arguments', description: 'Stands where the text has $ARGUMENTS.', required: false };
const SCHEME = 'skill://';

/** Skills as MCP clients see them: each is a prompt, and its text a resource. */
export function servedSkills(
  skills: RuntimeSkills,
  allow: readonly string[] | undefined,
): Pick<ServedHouse, 'prompts' | 'prompt' | 'resources' | 'resource'> {
  const view = () => skills.view(allow === undefined ? {} : { allow });
  const uriOf = (name: string) => `${SCHEME}${encodeURIComponent(name)}/SKILL.md`;
  return {
    async prompts() {
      const own = (await view()).skills().filter((skill) => skill.forPerson);
      return own.map(({ name, description }) => ({ name, description, arguments: [ARGUMENTS] }));
    },
    async prompt(name, args) {
      const skill = (await view()).get(name);
      if (skill === undefined || !skill.forPerson) return undefined;
      const text = (await skills.text(skill)).replace(/\$ARGUMENTS\b/g, () => args[ARGUMENTS.name] ?? '');
      return [{ role: 'user', content: { type: 'text', text } }];
    },
    async resources() {
      const own = (await view()).skills().filter((skill) => skill.forModel);
      return own.map(({ name, description }) => ({ uri: uriOf(name), name, description, mimeType: 'text/markdown' }));
    },
    async resource(uri) {
      const skill = (await view()).skills().find(({ name, forModel }) => forModel && uriOf(name) === uri);
      return skill && { mimeType: 'text/markdown', content: await skills.text(skill) };
    },
  };
}
