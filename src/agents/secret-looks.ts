/** What stands where a secret stood. */
export const masked = "[secret removed]";

/** Values that name a secret instead of being one. */
export const reference =
  /^(?:\$|%|<|\{|\[|\(|…|\.\.\.|\*+$|x+$|null$|none$|true$|false$|undefined$|env\b|process\.|os\.|vault:|op:)/i;
/** "Password" in other languages, where it does not begin with `pass`. */
export const foreign = "mot de passe|contraseña|senha|пароль|密码|パスワード";
/** Letters, and digits or signs. */
export const isMixed = (value: string): boolean => /\p{L}/u.test(value) && /[\p{N}!@#$%^&*+=?~]/u.test(value);

/** Signs without a word among them, as tokens are. */
export const isDrawn = (value: string): boolean =>
  isRandom(value) || (/^[a-z0-9]{16,}$/i.test(value) && (value.match(/\d/g)?.length ?? 0) >= 3 && /[a-z]/i.test(value));

/**
 * Whether a string looks drawn by lot: digits among letters of both cases, more than three bits of entropy a sign, and less
 * than half of it in runs like those of words. A name of camelCase humps is made of such runs; of 62 signs drawn at
 * random about a third stands in one. Of one case alone it must be long, no hash, and change between letters and digits often.
 */
export function isRandom(text: string): boolean {
  // The address of a commit is no secret, though it ends in forty digits.
  const signs = text.replace(/(?<![A-Za-z0-9_-])[0-9a-f]{32,}(?![A-Za-z0-9_-])|[+/_=-]/g, "");
  if (!/\d/.test(signs)) return false;
  if (/[a-z]/.test(signs) && /[A-Z]/.test(signs)) {
    const inWords = signs.match(/[A-Za-z][a-z]{2,}/g)?.join("").length ?? 0;
    return inWords / signs.length < 0.5 && entropy(signs) > 3;
  }
  if (signs.length < 32 || signs !== text.replace(/=+$/, "") || /^[0-9A-F]+$/.test(signs)) return false;
  const changes = signs.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return changes * 5 >= signs.length && entropy(signs) > 3;
}

/** Shannon's entropy, in bits a sign. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
