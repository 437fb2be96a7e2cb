import { fieldsMasked } from "./secret-fields.ts";
import { foreign, isMixed, isRandom, masked, reference } from "./secret-looks.ts";

export { masked };

/** Forms that are secrets wherever they stand, by their issuers' own prefixes. */
const issued: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bgl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|soat|agent|ffct|oas)-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]{2,})*/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/g,
  /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]+/g,
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
  /\b(?:dapi|pul-|(?:sbp|rubygems|gitea|sntrys|sntryu|bkua|rdme|pnu|CCIPAT|shippo_live|shippo_test)_|(?:PMAK|NRAK)-)[A-Za-z0-9_-]{20,}/g,
  /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}/g,
  /\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{40,}/g,
  /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g,
  /\b[0-9a-f]{32}-us\d{1,2}\b/g,
  /\bv1\.0-[0-9a-f]{24}-[0-9a-f]{100,}/g,
  /\b\d\/\d{16}:[0-9a-f]{32}\b/g,
  /\b(?:sdk|mob|access-(?:sandbox|development|production))-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  /\b(?:SK|AC)[0-9a-f]{32}\b/g,
  /\b\d{8,10}:AA[0-9A-Za-z_-]{32,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\b(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%=]{20,}/g,
];

/** `scheme://user:password@host`: the password. In what is no web address it may hold `/` and `@`; a port is none. */
const credentials =
  /(\b(?:https?:\/\/[^\s:/@]*:(?=[^\s/@]{1,200}@)|(?!https?:)[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]*:(?!\d{1,5}[/?#])))([^\s"'`<>]{1,200})(?=@)/gi;
/** `https://token@host`: the token. */
const bare = /(:\/\/)([A-Za-z0-9_-]{20,})(?=@)/g;
const authorization = /(\b(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{12,})/gi;
/** The same in a header, where whatever follows is meant. */
const header = /(\bauthorization["'`]?\s*[:=]\s*["'`]?(?:bearer|basic|token|apikey|ssws)\s+)([^\s"'`]{16,})/gi;
/** Names for what is secret, in the languages that people write them in. */
const names =
  "pass(?:word|wort|wd|phrase|code)|[_.]pass(?![a-z])|\\bpwd|\\bpw|secret|token(?!i[sz])|api[\\s_-]?key|access[\\s_-]?key|private[\\s_-]?key|" +
  "encryption[\\s_-]?key|(?:wpa\\d?|wi-?fi|wlan)[\\s_-]?key(?![\\w-])|signing[\\s_-]?key|hmac[\\s_-]?key|_auth\\b|credentials?|" +
  foreign;
/** `password: …`, `API_KEY=…`, `"client_secret": "…"`, `| password | … |`: the value. */
const assignment = new RegExp(
  `((?:${names})[\\w-]{0,24}["'\`*]{0,3}\\s*(?::=|=>|->|[:=：→–—|]|-(?=\\s)|\\b(?:is|ist|est|es)\\b)\\s*[*]{0,2}\\s*(?:[|>][+-]?\\s*\\n\\s*)?)` +
    "([\"'`]{3}\\s*|[\"'`]?)((?<=[\"'`])(?:\\\\.|[^\"'`\\n\\\\]){4,}|[^\\s\"'`,;]{4,})",
  "giu",
);
/** A word that only claims to give a value. */
const weak = /(?:\b(?:is|ist|est|es)|->|[→–—|-])\s*\**\s*$/i;
/** A variable of a shell: `STRIPE_KEY=…`, `BASIC_AUTH=…`. */
const variable = /(\b(?:[A-Z][A-Z0-9]*_)*(?:PASS|KEY|CREDS?|AUTH|SALT)(?:_[A-Z0-9]+)*=["']?)([^\s"',;]{6,})/g;
/** Names for hexadecimal digits that are no hash. */
const digits =
  /((?<!public[\s_-])(?:key|salt|auth|cookie|session|sid|seed)[\w-]{0,24}["'`*]{0,3}\s*[:=]\s*["'`]?)([0-9a-f]{32,})\b/gi;
/** On a command line. */
const flags: readonly RegExp[] = [
  /((?:^|\s)--?(?:password|passwd|pass|token|secret|api-?key|access-?key|client-?secret|auth-?token)(?:=|\s+)["']?)([^\s"']{4,})/gi,
  /(\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,64}:)([^\s"']{3,})/g,
  /(\b(?:sshpass|docker login)\b[^\n]{0,80}?\s-p\s*["']?)([^\s"']{4,})/g,
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,80}?\s-p["']?)([^\s"']{4,})/g,
  /(\bmachine\s+\S{1,80}\s+login\s+\S{1,80}\s+password\s+)(\S{3,})/g,
];
/** Words in a row that open a wallet or a key, to the end of their line. */
const phrase =
  /((?:pass|\bseed |\brecovery |\bbackup )phrase["'`*]{0,3}\s*[:=]\s*["'`*]{0,3})([^\s"'`](?:[^\n"'`]{0,200}[^\s"'`])?)/gi;
const long = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_-])/g;

/**
 * A text with its secrets taken out: the forms of known issuers, passwords in URLs, values given to a name that says
 * password, token or key, and long strings that look drawn by lot. Hashes and UUIDs stay, unless a name calls them secret.
 */
export function maskSecrets(text: string): string {
  let safe = text;
  for (const form of issued) safe = safe.replace(form, masked);
  const take = (form: RegExp, isSecret: (value: string, before: string) => boolean): void => {
    safe = safe.replace(form, (found, before: string, value: string) =>
      !reference.test(value) && !value.includes(masked) && isSecret(value, before) ? before + masked : found,
    );
  };
  safe = fieldsMasked(safe);
  take(credentials, () => true);
  take(bare, isMixed);
  take(header, () => true);
  take(authorization, isMixed);
  take(phrase, (value) => /\s\S+\s/.test(value));
  safe = safe.replace(assignment, (found, before: string, quote: string, value: string) =>
    isValue(before, quote, value) ? before + quote + masked : found,
  );
  take(
    variable,
    (value, before) => before.includes("PASS") || (value.length >= 8 && isMixed(value)) || value.includes(":"),
  );
  take(digits, () => true);
  for (const flag of flags) take(flag, (value, before) => /\D/.test(value) && (!/\s$/.test(before) || isMixed(value)));
  return safe.replace(long, (found) => (isRandom(found) ? masked : found));
}

/** Prose says `the token: a string of …` and code says `token = read()`: neither gives a value away. */
function isValue(before: string, quote: string, value: string): boolean {
  if (reference.test(value) || value.includes(masked) || (quote === "" && /[()[\]]/.test(value))) return false;
  if (isMixed(value) || (quote !== "" && !weak.test(before))) return true;
  if (weak.test(before)) return false;
  return /\S=\**$/.test(before) || isPassword.test(before);
}

/** What is given under such a name is secret, whatever it looks like. */
const isPassword = new RegExp(`pass|pwd|\\bpw|${foreign}`, "i");
