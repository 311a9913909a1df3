import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { parseSkill } from './parse-skill.ts';

const parse = (text: string, folderName = 'my-skill', extra?: string) =>
  parseSkill({
    text,
    file: `/s/${folderName}/SKILL.md`,
    folder: `/s/${folderName}`,
    ...(extra === undefined ? {} : { extra: { text: extra, file: `/s/${folderName}/skill.yaml` } }),
  });
const described = (description: string, ...more: string[]) =>
  parse(`---\nname: my-skill\n${[`description: ${description}`, ...more].join('\n')}\n---\nBody\n`);

verifies('SKILL-01', 'a description keeps its whole text, whatever YAML thinks of it', () => {
  const texts = {
    'Set up the harness: hooks, servers': 'Set up the harness: hooks, servers',
    'Use @x': 'Use @x',
    '50% off': '50% off',
    '- list': '- list',
    '@x first': '@x first',
    '%x first': '%x first',
    '`code` first': '`code` first',
    'it\'s "quoted": yes': 'it\'s "quoted": yes',
    '"open quote': '"open quote',
    '[a] - b': '[a] - b',
    '{a} and b': '{a} and b',
    '*star* text': '*star* text',
    '&and text: x': '&and text: x',
    '!bang: x': '!bang: x',
    'a: b: c': 'a: b: c',
    'ends with colon:': 'ends with colon:',
  };
  for (const [written, meant] of Object.entries(texts)) {
    const { skill, diagnostics } = described(written);
    expect({ written, description: skill?.description }).toEqual({ written, description: meant });
    for (const { line, file } of diagnostics) expect([line, file]).toEqual([3, '/s/my-skill/SKILL.md']);
  }
});

verifies('SKILL-01', 'one broken field costs the others nothing, and is told with its line', () => {
  const { skill, diagnostics } = described(
    'Good.',
    'argument-hint: [a] - b',
    'allowed-tools: Read Bash(git:*)',
    'always: true',
  );
  expect(skill).toMatchObject({ description: 'Good.', allowedTools: ['Read', 'Bash(git:*)'], always: true });
  expect(diagnostics.map(({ rule, line }) => [rule, line])).toEqual([['yaml-invalid', 4]]);
  const tabs = described('Good: really', 'metadata:', '\tauthor: me', 'tool: true');
  expect(tabs.skill).toMatchObject({ description: 'Good: really', isTool: true });
  expect(tabs.diagnostics[0]).toMatchObject({ rule: 'yaml-invalid', line: 3 });
});

verifies('SKILL-02', 'marks, line ends and dashes of any kind give the plain version', () => {
  const forms = [
    '\uFEFF---\r\nname: x\r\ndescription: d\r\n---\r\nBody\r\n',
    '---\nname: x\ndescription: d\n---\nBody',
    '\n \n---  \nname: x\ndescription: d\n---\t\nBody\n',
    '---\rname: x\rdescription: d\r---\rBody\r',
  ];
  for (const form of forms) {
    const { skill, diagnostics } = parse(form, 'x');
    expect([skill?.name, skill?.description, diagnostics]).toEqual(['x', 'd', []]);
  }
  const end = parse('---\nname: x\ndescription: d\n---', 'x');
  expect(end.skill?.description).toBe('d');
  expect(end.diagnostics.map(({ rule }) => rule)).toEqual(['body-empty']);
});

verifies('SKILL-04', 'names that are no names: by the name where it is one, else by the folder', () => {
  const names: Readonly<Record<string, string>> = {
    'Writing Hookify Rules': 'Writing Hookify Rules',
    '../../etc': 'my-skill',
    '..': 'my-skill',
    'a/b': 'my-skill',
    'a\\b': 'my-skill',
    '"a\\u0000b"': 'my-skill',
    '': 'my-skill',
    '123': '123',
    技能: '技能',
    [`${'x'.repeat(80)}`]: 'x'.repeat(80),
    [`${'x'.repeat(999)}`]: 'my-skill',
  };
  for (const [written, name] of Object.entries(names)) {
    const { skill, diagnostics } = parse(`---\nname: ${written}\ndescription: d\n---\nBody`);
    expect({ written, name: skill?.name }).toEqual({ written, name });
    expect(diagnostics.map(({ line }) => line)).toContain(2);
    if (name !== 'my-skill') expect(skill?.aliases).toEqual(['my-skill']);
  }
  const none = parse('---\ndescription: d\n---\nBody');
  expect([none.skill?.name, none.diagnostics[0]?.rule]).toEqual(['my-skill', 'name-missing']);
});

verifies('SKILL-04', 'a description may be long or a list; none at all is a reason to pass the skill over', () => {
  expect(described('x'.repeat(1_500)).skill?.description).toHaveLength(1_500);
  expect(described('[one, two]').skill?.description).toBe('one; two');
  const none = parse('---\nname: my-skill\n---\nBody');
  expect(none).toMatchObject({ name: 'my-skill', skipped: 'it has no description' });
  expect(none.diagnostics[0]).toMatchObject({ rule: 'description-missing', line: 1 });
});

verifies('skills/older-form', 'a heading and a paragraph are enough; skill.yaml names and describes it', () => {
  const text = '# Skill: My Skill\n\n## Purpose\nSums up\npapers.\n\n## Steps\n1. Read\n';
  const bare = parse(text, 'my_skill');
  expect(bare.skill).toMatchObject({ name: 'my_skill', aliases: ['My Skill'], description: 'Sums up papers.' });
  expect(bare.diagnostics.map(({ rule }) => rule)).toEqual(['front-matter-missing']);
  const extra =
    'id: paper-sum\nname: Paper sums\ndescription: Sums up papers: all\nactivation:\n  keywords: [paper, sum]\n  when: asked\n';
  expect(parse(text, 'my_skill', extra).skill).toMatchObject({
    name: 'paper-sum',
    aliases: ['my_skill', 'Paper sums', 'My Skill'],
    description: 'Sums up papers: all',
    activation: 'paper; sum; asked',
  });
  expect(parse('# 技能\n\n## 用途\n描述。\n', 'a').skipped).toBe('it has no front matter');
  expect(parse('# Skill：技能\n\n## 用途\n描述。\n', 'a').skill?.description).toBe('描述。');
  expect(parse('# Skill: Empty\n', 'a').skipped).toBe('it has no description');
});

verifies('skills/older-form', 'front matter stands before skill.yaml, which fills in what is missing', () => {
  const text = '---\nname: my-skill\n---\nBody\n';
  const both = parse(text, 'my-skill', '\uFEFFname: Other\r\ndescription: From the side\r\nactivation: always\r\n');
  expect(both.skill).toMatchObject({ name: 'my-skill', description: 'From the side', activation: 'always' });
  const broken = parse('# Skill: A\n\nText.\n', 'a', '{{{');
  expect(broken.skill?.description).toBe('Text.');
  expect(broken.diagnostics).toContainEqual(expect.objectContaining({ rule: 'yaml-invalid', file: '/s/a/skill.yaml' }));
});

verifies('skills/bad-input', 'bombs of YAML end quickly, as a diagnostic', () => {
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghij'
      .split('')
      .map((sign, index) => `${sign}: &${sign} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`),
  ];
  const bombs = {
    'yaml-aliases': laughs.join('\n'),
    'yaml-too-deep': `a: ${'['.repeat(20_000)}`,
    'yaml-too-big': `a: ${'x'.repeat(100_000)}`,
  };
  for (const [rule, bomb] of Object.entries(bombs)) {
    const began = performance.now();
    const parsed = described('Fine.', bomb);
    expect({ rule, told: parsed.diagnostics.map((each) => each.rule) }).toEqual({
      rule,
      told: expect.arrayContaining([rule]),
    });
    expect(parsed.skipped).toBe('its front matter cannot be read');
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  for (const odd of [
    '&a *a',
    '<<: *x',
    '? {a: b}\n: c',
    '!!js/function x',
    '__proto__: {x: 1}',
    'a: *nothing',
    '"\\ud800": x',
    '\u0000',
    `a: ${'{'.repeat(90)}`,
    `${'- '.repeat(5_000)}x`,
    `a:\n${' '.repeat(3_000)}b: c`,
  ]) {
    expect(() => described('Fine.', odd)).not.toThrow();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  }
});
