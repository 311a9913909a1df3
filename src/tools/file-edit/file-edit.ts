import { defineTool, type ResolvedPath, type ToolContext, type ToolOutput } from '../../core/index.ts';
import { applyEdit, type Edit } from '../files/apply-edit.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { describeMissing } from '../files/describe-missing.ts';
import { loadForChange, openText } from '../files/open-for-edit.ts';
import { requireSeen } from '../files/require-seen.ts';
import { saveFile } from '../files/save-file.ts';
import { placesText, unifiedDiff } from '../files/unified-diff.ts';
import { editInput, editsOf } from './edit-input.ts';

/** Replaces exact text in a file, every other byte kept. */
export const fileEdit = defineTool({
  name: 'file_edit',
  description:
    'Replaces text in a file that you have read with read_file. old_string must be in the file exactly (indentation and quotes included, without the line numbers that read_file shows) and in one place only, or set replace_all. Several edits of one file go into `edits`: they are made in order, each on the result of the one before, all or none. Line endings, encoding and byte order mark of the file are kept. An empty old_string makes a new file, or fills an empty one.',
  input: editInput,
  traits: { readOnly: false, concurrencySafe: false, interrupt: 'block' },
  aliases: [{ name: 'file_update' }, { name: 'Edit', input: { file_path: 'path' } }],
  subjects: ({ path }) => pathSubject(path, 'write'),
  claims: ({ path }, context) => claimFile(path, 'write', context),
  async run(input, ctx): Promise<ToolOutput> {
    const edits = editsOf(input);
    const target = await ctx.roots.resolve(input.path, 'write');
    if (!(await ctx.sandbox.stat(target.real))) return createFile(target, edits, ctx);
    return changeFile(target, edits, ctx);
  },
});

async function changeFile(target: ResolvedPath, edits: readonly Edit[], ctx: ToolContext): Promise<ToolOutput> {
  const shown = ctx.roots.display(target.path);
  const loaded = await loadForChange(target, ctx);
  requireSeen(target, loaded, ctx);
  const before = await openText(loaded, shown);
  let file = before;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const label = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : '';
    const applied = applyEdit(file, edit, shown, label);
    file = applied.file;
    replacements += applied.replacements;
  }
  if (file.bytes.equals(loaded.bytes)) return { content: `The edits of ${shown} cancel each other; it is as it was.` };
  await saveFile(target, file.bytes, loaded.stat, ctx);
  const { changed, ...diff } = await unifiedDiff(shown, before.text, file.text);
  const count = `${replacements} replacement${replacements === 1 ? '' : 's'}`;
  return {
    content: `Edited ${shown}: ${count}, now at ${placesText(changed)} (${diff.added} added, ${diff.removed} removed).`,
    data: { path: shown, replacements, bytes: file.bytes.length, encoding: file.encoding.name, ...diff },
  };
}

/** An empty old_string on a path where nothing is. */
async function createFile(target: ResolvedPath, edits: readonly Edit[], ctx: ToolContext): Promise<ToolOutput> {
  const [first, ...others] = edits;
  if (first?.old_string !== '') throw await describeMissing(target, ctx);
  const shown = ctx.roots.display(target.path);
  let file = await openText({ bytes: Buffer.from(first.new_string), hash: '', stat: NO_FILE }, shown);
  for (const [index, edit] of others.entries()) {
    file = applyEdit(file, edit, shown, `Edit ${index + 2} of ${edits.length}: `).file;
  }
  await saveFile(target, file.bytes, null, ctx);
  const { changed: _, ...diff } = await unifiedDiff(shown, '', file.text);
  return {
    content: `Created ${shown} (${diff.added} lines, ${file.bytes.length} bytes).`,
    data: { path: shown, created: true, bytes: file.bytes.length, ...diff },
  };
}

const NO_FILE = { kind: 'file', size: 0, mtimeNs: 0n, ctimeNs: 0n, mode: 0 } as const;
