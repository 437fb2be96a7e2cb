/** What stands where a secret stood. */
export const masked = "[secret removed]";

/** Forms that are secrets wherever they stand, by their issuers' own prefixes. */
const issued: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|agent)-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]+/g,
  /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/g,
  /\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bGOCSPX-[0-9A-Za-z_-]{20,}/g,
  /\bya29\.[0-9A-Za-z_-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{30,}/g,
  /\bhf_[A-Za-z0-9]{24,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\b(?:dop|doo|dor)_v1_[a-f0-9]{40,}/g,
  /\b(?:shpat|shpca|shppa|shpss)_[a-fA-F0-9]{20,}/g,
  /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/g,
  /\b(?:figd|rnd|r8|tvly|pplx|gsk|xai|dapi|key|secret)[_-](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{24,}/g,
  /\bSK[0-9a-f]{32}\b/g,
  /\b\d{8,10}:AA[0-9A-Za-z_-]{32,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\b(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%=]{20,}/g,
];

/** `scheme://user:password@host`: the password. */
const credentials = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]*:)([^\s@/]+)(?=@)/gi;
const authorization = /(\b(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{12,})/gi;
/** `password: …`, `API_KEY=…`, `"client_secret": "…"`: the value. */
const assignment =
  /((?:pass(?:word|wort|wd|phrase|code)|\bpwd|\bpw|secret|token|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|encryption[\s_-]?key|credentials?|mot de passe|contraseña|senha|пароль|密码|パスワード)[\w-]{0,24}["'`*]{0,3}\s*(?::=|=>|[:=：]|\bis\b)\s*[*]{0,2}\s*)(["'`]?)((?<=["'`])[^"'`\n]{4,}|[^\s"'`,;]{4,})/giu;
/** Values that name a secret instead of being one. */
const reference =
  /^(?:\$|%|<|\{|\[|\(|…|\.\.\.|\*+$|x+$|null$|none$|true$|false$|undefined$|env\b|process\.|os\.|vault:|op:)/i;
const long = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_-])/g;

/**
 * A text with its secrets taken out: the forms of known issuers, passwords in URLs, values given to a name that says
 * password, token or key, and long strings that look drawn by lot. Hashes and UUIDs stay, unless a name calls them secret.
 */
export function maskSecrets(text: string): string {
  let safe = text;
  for (const form of issued) safe = safe.replace(form, masked);
  return safe
    .replace(credentials, (found, before: string, value: string) => (reference.test(value) ? found : before + masked))
    .replace(authorization, (found, before: string, value: string) => (isMixed(value) ? before + masked : found))
    .replace(assignment, (found, before: string, quote: string, value: string) =>
      isValue(before, quote, value) ? before + quote + masked : found,
    )
    .replace(long, (found) => (isRandom(found) ? masked : found));
}

/** Prose says `the token: a string of …` and code says `token = read()`: neither gives a value away. */
function isValue(before: string, quote: string, value: string): boolean {
  if (reference.test(value) || value === masked || (quote === "" && /[()[\]]/.test(value))) return false;
  if (isMixed(value) || quote !== "") return true;
  if (/\bis\b\s*\**$/i.test(before)) return false;
  return /\S=\**$/.test(before) || /pass|pwd|\bpw|contraseña|senha|пароль|密码|パスワード/i.test(before);
}

const isMixed = (value: string): boolean => /\p{L}/u.test(value) && /[\p{N}!@#$%^&*+=?~]/u.test(value);

/**
 * Whether a string looks drawn by lot: digits among letters of both cases, more than three bits of entropy a sign, and less
 * than half of it in runs like those of words. A name of camelCase humps is made of such runs; of 62 signs drawn at
 * random about a third stands in one.
 */
function isRandom(text: string): boolean {
  const signs = text.replace(/[+/_=-]/g, "");
  if (!/[a-z]/.test(signs) || !/[A-Z]/.test(signs) || !/\d/.test(signs)) return false;
  const inWords = text.match(/[A-Za-z][a-z]{2,}/g)?.join("").length ?? 0;
  return inWords / signs.length < 0.5 && entropy(signs) > 3;
}

/** Shannon's entropy, in bits a sign. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
