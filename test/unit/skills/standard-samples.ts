/** One small skill folder, and what the standard says of it. */
export interface StandardSample {
  readonly folder: string;
  /** SKILL.md; or files by path, each its content. */
  readonly files: string | Readonly<Record<string, string>>;
  /** Rules that it breaks, each `rule` or `rule:line`; none: it is valid. */
  readonly breaks: readonly string[];
}

const front = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody\n`;
const named = (name: string, ...more: string[]) => front(`name: ${name}`, 'description: Does it.', ...more);
const described = (description: string) => front('name: a', `description: ${description}`);
const long = (length: number) => 'x'.repeat(length);

/** Agent Skills: name, description, license, compatibility, metadata, allowed-tools, and the file itself. */
export const standardSamples: readonly StandardSample[] = [
  // Sound ones.
  { folder: 'a', files: named('a'), breaks: [] },
  { folder: 'pdf-processing', files: named('pdf-processing'), breaks: [] },
  { folder: 'v2', files: named('v2'), breaks: [] },
  { folder: '9-lives', files: named('9-lives'), breaks: [] },
  { folder: '123', files: named('"123"'), breaks: [] },
  { folder: long(64), files: named(long(64)), breaks: [] },
  { folder: 'a', files: described(long(1024)), breaks: [] },
  { folder: 'a', files: described('"Quoted: with a colon"'), breaks: [] },
  { folder: 'a', files: front('name: a', 'description: >', '  Folded', '  lines.'), breaks: [] },
  { folder: 'a', files: front('name: a', 'description: |', '  Kept', '  lines.'), breaks: [] },
  { folder: 'a', files: described('技能 für 50% off & more'), breaks: [] },
  { folder: 'a', files: named('a', 'license: Apache-2.0'), breaks: [] },
  { folder: 'a', files: named('a', 'compatibility: Needs git.'), breaks: [] },
  { folder: 'a', files: named('a', `compatibility: ${long(500)}`), breaks: [] },
  { folder: 'a', files: named('a', 'metadata:', '  author: me', '  version: "1.0"'), breaks: [] },
  { folder: 'a', files: named('a', 'metadata: {}'), breaks: [] },
  { folder: 'a', files: named('a', 'allowed-tools: Bash(git:*) Bash(jq:*) Read'), breaks: [] },
  { folder: 'a', files: named('a', 'allowed-tools: Bash(git add:*) Read'), breaks: [] },
  {
    folder: 'a',
    files: { 'SKILL.md': named('a'), 'scripts/x.py': 'print(1)\n', 'references/r.md': '# R\n' },
    breaks: [],
  },
  { folder: 'a', files: '\uFEFF---\r\nname: a\r\ndescription: d\r\n---\r\nBody\r\n', breaks: [] },
  { folder: 'a', files: '\n\n---  \nname: a\ndescription: d\n--- \nBody\n\n---\n\nmore\n', breaks: [] },
  { folder: 'a', files: '---\n# a comment\nname: a # another\ndescription: d\n---\nBody', breaks: [] },
  // Names.
  { folder: 'a', files: front('description: d'), breaks: ['name-missing:1'] },
  { folder: 'a', files: front('name:', 'description: d'), breaks: ['name-missing:2'] },
  { folder: 'a', files: front('name: ""', 'description: d'), breaks: ['name-empty:2'] },
  { folder: 'a', files: front('name: "  "', 'description: d'), breaks: ['name-empty:2'] },
  { folder: '123', files: named('123'), breaks: ['name-not-text:2'] },
  { folder: 'a', files: named('[a]'), breaks: ['name-not-text:2'] },
  { folder: 'true', files: named('true'), breaks: ['name-not-text:2'] },
  { folder: long(65), files: named(long(65)), breaks: ['name-too-long:2'] },
  { folder: 'PDF', files: named('PDF'), breaks: ['name-characters:2'] },
  { folder: 'my_skill', files: named('my_skill'), breaks: ['name-characters:2'] },
  { folder: 'my skill', files: named('my skill'), breaks: ['name-characters:2'] },
  { folder: 'a.b', files: named('a.b'), breaks: ['name-characters:2'] },
  { folder: '技能', files: named('技能'), breaks: ['name-characters:2'] },
  { folder: '-a', files: named('-a'), breaks: ['name-edge-hyphen:2'] },
  { folder: 'a-', files: named('a-'), breaks: ['name-edge-hyphen:2'] },
  { folder: 'a--b', files: named('a--b'), breaks: ['name-double-hyphen:2'] },
  { folder: 'folder', files: named('other'), breaks: ['name-folder:2'] },
  { folder: 'a', files: named('a/b'), breaks: ['name-characters:2', 'name-folder:2'] },
  { folder: 'etc', files: named('../../etc'), breaks: ['name-characters:2', 'name-folder:2'] },
  { folder: 'writing-rules', files: named('Writing Hookify Rules'), breaks: ['name-characters:2', 'name-folder:2'] },
  // Descriptions.
  { folder: 'a', files: front('name: a'), breaks: ['description-missing:1'] },
  { folder: 'a', files: front('name: a', 'description:'), breaks: ['description-missing:3'] },
  { folder: 'a', files: front('name: a', 'description: ""'), breaks: ['description-empty:3'] },
  { folder: 'a', files: described(long(1025)), breaks: ['description-too-long:3'] },
  { folder: 'a', files: described('[one, two]'), breaks: ['description-not-text:3'] },
  { folder: 'a', files: described('42'), breaks: ['description-not-text:3'] },
  // The other fields.
  { folder: 'a', files: named('a', 'license: [MIT]'), breaks: ['license-not-text:4'] },
  { folder: 'a', files: named('a', 'compatibility: ""'), breaks: ['compatibility-empty:4'] },
  { folder: 'a', files: named('a', `compatibility: ${long(501)}`), breaks: ['compatibility-too-long:4'] },
  { folder: 'a', files: named('a', 'compatibility: 1'), breaks: ['compatibility-not-text:4'] },
  { folder: 'a', files: named('a', 'metadata: text'), breaks: ['metadata-not-a-map:4'] },
  { folder: 'a', files: named('a', 'metadata:', '  version: 1.0'), breaks: ['metadata-value:4'] },
  { folder: 'a', files: named('a', 'allowed-tools: [Read, Write]'), breaks: ['allowed-tools-not-text:4'] },
  { folder: 'a', files: named('a', 'allowed-tools: Bash(git:*'), breaks: ['allowed-tools-parentheses:4'] },
  // The file.
  { folder: 'a', files: '# Only a heading\n\nText.\n', breaks: ['front-matter-missing:1'] },
  { folder: 'a', files: '# Skill: A\n\nThe older form.\n', breaks: ['front-matter-missing:1'] },
  { folder: 'a', files: '', breaks: ['front-matter-missing:1'] },
  { folder: 'a', files: '---\nname: a\ndescription: d\n', breaks: ['front-matter-open:1'] },
  { folder: 'a', files: described('Set up: hooks'), breaks: ['yaml-invalid:3'] },
  { folder: 'a', files: front('name: a', 'name: a', 'description: d'), breaks: ['yaml-invalid:3'] },
  { folder: 'a', files: front('name: a', 'description: d', 'metadata:', '\tauthor: me'), breaks: ['yaml-invalid:5'] },
  { folder: 'a', files: front('- name: a', '- description: d'), breaks: ['yaml-invalid:2'] },
  { folder: 'a', files: { 'README.md': '# no skill\n' }, breaks: ['file-missing'] },
  { folder: 'a', files: { 'skill.yaml': 'name: a\n' }, breaks: ['file-missing'] },
];
