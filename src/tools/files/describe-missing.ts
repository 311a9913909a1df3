import { basename, dirname } from 'node:path';
import { type ResolvedPath, type ToolContext, ToolwrightError } from '../../core/index.ts';
import { nearNames } from '../../schema/index.ts';

/** The error for a file that is not there, with the names that could have been meant. */
export async function describeMissing(target: ResolvedPath, ctx: ToolContext): Promise<ToolwrightError> {
  const shown = ctx.roots.display(target.path);
  const folder = dirname(target.real);
  const stat = await ctx.sandbox.stat(folder).catch(() => undefined);
  if (stat && stat.kind !== 'directory') {
    return missing(`${shown} cannot exist: ${ctx.roots.display(folder)} is a file, not a folder.`, 'Check the path.');
  }
  if (!stat) {
    const known = await nearestFolder(folder, target.root.path, ctx);
    return missing(
      `There is no file ${shown}; its folder does not exist either.`,
      `The nearest folder that exists is ${ctx.roots.display(known)}. Find the file with glob_files {"pattern": ${JSON.stringify(`**/${basename(target.path)}`)}}.`,
    );
  }
  const entries = await ctx.sandbox.list(folder).catch(() => []);
  const near = nearNames(
    basename(target.real),
    entries.map((entry) => entry.name),
  );
  return missing(
    `There is no file ${shown}.`,
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : `Find it with glob_files {"pattern": ${JSON.stringify(`**/${basename(target.path)}`)}}.`,
  );
}

async function nearestFolder(folder: string, root: string, ctx: ToolContext): Promise<string> {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const stat = await ctx.sandbox.stat(at).catch(() => undefined);
    if (stat?.kind === 'directory') return at;
  }
  return root;
}

function missing(message: string, hint: string): ToolwrightError {
  return new ToolwrightError('failed', message, { hint, data: { reason: 'missing' } });
}
