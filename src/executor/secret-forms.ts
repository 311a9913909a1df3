export const MASKED = '[masked]';

/** A kind of secret that is known by its form. */
export interface SecretForm {
  /** One of these stands in every match; a text without them need not be searched. Case matters. */
  readonly hints: readonly string[];
  /** Global, every repetition bounded, each match shorter than the carry of a stream. */
  readonly pattern: RegExp;
  /** What a match becomes; default: all of it is masked. */
  readonly replace?: (match: string, ...groups: string[]) => string;
}

/** Random-looking: letters and digits mixed, no word, no path. */
export function looksRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  const switches = text.match(/\d[A-Za-z]|[A-Za-z]\d/g)?.length ?? 0;
  return bits >= 3.3 && switches >= 3;
}

const plain = (hints: readonly string[], pattern: RegExp): SecretForm => ({ hints, pattern });

export const SECRET_FORMS: readonly SecretForm[] = [
  {
    hints: ['PRIVATE KEY-----'],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,.-]{0,7000}?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----|$(?![\s\S]))/g,
  },
  plain(['sk-'], /\bsk-[A-Za-z0-9_-]{16,250}/g),
  plain(['_live_', '_test_'], /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,250}/g),
  plain(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{20,255}/g),
  plain(['github_pat_'], /\bgithub_pat_[A-Za-z0-9_]{20,255}/g),
  plain(['glpat-'], /\bglpat-[A-Za-z0-9_-]{18,100}/g),
  plain(['AKIA', 'ASIA'], /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  plain(['xox'], /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g),
  plain(['AIza'], /\bAIza[A-Za-z0-9_-]{35}/g),
  plain(['ya29.'], /\bya29\.[A-Za-z0-9_-]{20,500}/g),
  plain(['npm_'], /\bnpm_[A-Za-z0-9]{36}\b/g),
  plain(['hf_'], /\bhf_[A-Za-z0-9]{30,60}\b/g),
  plain(['pypi-'], /\bpypi-AgEI[A-Za-z0-9_-]{40,500}/g),
  plain(['SG.'], /\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}/g),
  plain(['dop_v1_'], /\bdop_v1_[a-f0-9]{40,80}/g),
  plain(['eyJ'], /\beyJ[A-Za-z0-9_-]{10,1500}\.eyJ[A-Za-z0-9_-]{10,1500}\.[A-Za-z0-9_-]{5,700}/g),
  {
    hints: ['earer ', 'EARER ', 'asic '],
    pattern: /\b(Bearer|Basic) {1,3}([A-Za-z0-9._~+/=-]{16,2000})/gi,
    replace: (match, scheme = '', token = '') =>
      /\d/.test(token) || /[a-z][A-Z]/.test(token) ? `${scheme} ${MASKED}` : match,
  },
  {
    hints: ['://'],
    pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"]{0,100}):([^\s@/'"]{1,200})@/gi,
    replace: (_match, before = '') => `${before}:${MASKED}@`,
  },
  {
    hints: ['pass', 'PASS', 'Pass', 'pwd', 'PWD', 'ecret', 'ECRET', 'oken', 'OKEN', 'key', 'KEY', 'Key'],
    pattern:
      /\b([A-Za-z0-9_.-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)[A-Za-z0-9_]{0,20}["']?\s{0,3}[:=]\s{0,3}["']?)([A-Za-z0-9_+/=~!@#$%^&*-]{12,200})/gi,
    replace: (match, before = '', value = '') => (looksRandom(value) ? `${before}${MASKED}` : match),
  },
];

/** Text at the end of a piece that may be the beginning of a secret. */
export const OPEN_ENDS: readonly { readonly sign: string; readonly pattern: RegExp }[] = [
  { sign: 'scheme', pattern: /\b(?:Bearer|Basic) {0,3}[A-Za-z0-9._~+/=-]{0,2000}$/i },
  {
    sign: 'assignment',
    pattern:
      /\b[A-Za-z0-9_.-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)[A-Za-z0-9_]{0,20}["']?\s{0,3}(?:[:=]\s{0,3}["']?[A-Za-z0-9_+/=~!@#$%^&*-]{0,200})?$/i,
  },
  {
    sign: 'PEM',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}(?:PRIVATE KEY-----[A-Za-z0-9+/=\s\\:,.-]{0,7000})?$|-{1,5}(?:B(?:E(?:G(?:IN?)?)?)?)?$/,
  },
];
