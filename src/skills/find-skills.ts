import type { Skill } from './skill.ts';

const STOP = new Set(['the', 'and', 'for', 'with', 'this', 'that', 'from', 'how', 'use', 'skill']);

/** The skills whose name, description and activation have most of these words, best first. */
export function findSkills(skills: readonly Skill[], words: string, most: number): readonly Skill[] {
  const wanted = [...new Set(wordsOf(words))].filter((word) => !STOP.has(word));
  if (wanted.length === 0) return [];
  return skills
    .map((skill) => {
      const name = new Set(wordsOf([skill.name, ...skill.aliases].join(' ')));
      const text = new Set(wordsOf(`${skill.description} ${skill.activation ?? ''}`));
      const score = wanted.reduce((sum, word) => sum + (name.has(word) ? 3 : text.has(word) ? 1 : 0), 0);
      return { skill, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ skill }) => skill);
}

/** Words of letters and digits; of scripts without blanks, pairs of signs. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word)) {
      return word.length > 1 ? [word, ...(/[^s]s$/.test(word) ? [word.slice(0, -1)] : [])] : [];
    }
    const signs = [...word];
    return signs.length === 1 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
  });
}
