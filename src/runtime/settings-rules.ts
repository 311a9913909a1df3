import { messageOf, ToolwrightError } from '../core/index.ts';
import { parseRule, type Rule } from '../policy/index.ts';
import type { ConfigFile } from './config.ts';

export type RuleList = 'allow' | 'ask' | 'deny';

/** The rules of a settings file, each with where it stands. A malformed one is told with file and place. */
export function rulesOf(
  { path, folder, config }: Pick<ConfigFile, 'path' | 'folder' | 'config'>,
  list: RuleList,
  scope: 'project' | 'home',
): Rule[] {
  return (config.permissions?.[list] ?? []).map((text, index) => {
    try {
      return { ...parseRule(text), scope, folder };
    } catch (error) {
      const place = `permissions.${list}.${index}`;
      throw new ToolwrightError('invalid_request', `${path}: ${place}: ${messageOf(error)}`, {
        hint: `Mend ${place} in ${path}.`,
        cause: error,
      });
    }
  });
}
