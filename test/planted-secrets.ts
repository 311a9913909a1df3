/** Credentials in the forms of their kinds, made up by a fixed rule; none of them opens anything. */
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const HEX = '0123456789abcdef';

interface Planted {
  readonly kind: string;
  /** As it would stand in an output. */
  readonly text: string;
  /** What must be nowhere. */
  readonly secret: string;
}

export function plantedSecrets(count: number): Planted[] {
  let state = 20_260_820;
  const pick = (signs: string, length: number): string =>
    Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return signs[Math.floor((state / 2 ** 31) * signs.length)];
    }).join('');
  const bare = (secret: string) => ({ text: secret, secret });
  const within = (before: string, secret: string, after = '') => ({ text: `${before}${secret}${after}`, secret });
  const base64 = (length: number) => Buffer.from(pick(ALNUM, length)).toString('base64');
  const kinds: Readonly<Record<string, () => { text: string; secret: string }>> = {
    'AWS access key': () => bare(`AKIA${pick(UPPER + DIGITS, 16)}`),
    'AWS secret key': () => within('aws_secret_access_key = ', pick(`${ALNUM}/+`, 40)),
    'GitHub classic': () => bare(`ghp_${pick(ALNUM, 36)}`),
    'GitHub fine-grained': () => bare(`github_pat_${pick(ALNUM, 22)}_${pick(ALNUM, 59)}`),
    GitLab: () => bare(`glpat-${pick(ALNUM, 19)}7`),
    Slack: () => bare(`xoxb-${pick(DIGITS, 12)}-${pick(DIGITS, 12)}-${pick(ALNUM, 24)}`),
    Stripe: () => bare(`sk_live_${pick(ALNUM, 24)}`),
    'Google API': () => bare(`AIza${pick(`${ALNUM}_-`, 35)}`),
    'Google OAuth': () => bare(`ya29.${pick(`${ALNUM}_-`, 60)}8`),
    OpenAI: () => bare(`sk-proj-${pick(ALNUM, 40)}9`),
    Anthropic: () => bare(`sk-ant-api03-${pick(`${ALNUM}_-`, 93)}AA`),
    HuggingFace: () => bare(`hf_${pick(ALNUM, 34)}`),
    npm: () => bare(`npm_${pick(ALNUM, 36)}`),
    PyPI: () => bare(`pypi-AgEIcHlwaS5vcmc${pick(`${ALNUM}_-`, 80)}`),
    SendGrid: () => bare(`SG.${pick(ALNUM, 22)}.${pick(ALNUM, 43)}`),
    Twilio: () => bare(`SK${pick(HEX, 32)}`),
    Telegram: () => bare(`${pick('123456789', 9)}:AA${pick(`${ALNUM}_-`, 30)}bQ7`),
    JWT: () => bare(`eyJ${pick(ALNUM, 33)}.eyJ${pick(ALNUM, 70)}.${pick(`${ALNUM}_-`, 43)}`),
    PEM: () => {
      const body = Array.from({ length: 12 }, () => pick(`${ALNUM}+/`, 64)).join('\n');
      return within('-----BEGIN RSA PRIVATE KEY-----\n', body, '\n-----END RSA PRIVATE KEY-----');
    },
    Azure: () =>
      within(
        'DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=',
        base64(64),
        ';EndpointSuffix=core.windows.net',
      ),
    'database URL': () => within('postgres://app:', pick(ALNUM, 18), '@db.example.org:5432/app'),
    Bearer: () => within('Authorization: Bearer ', `${pick(ALNUM, 40)}3`),
    Basic: () => within('Authorization: Basic ', base64(24)),
    password: () => within('DB_PASSWORD=', `${pick(ALNUM, 15)}4x`),
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, at) => {
    const kind = names[at % names.length] as string;
    return { kind, ...(kinds[kind] as () => { text: string; secret: string })() };
  });
}
