/**
 * What the FTS5 tokenizer `porter unicode61` cannot see in a text, as extra words. No tokenizer can be registered from
 * Bun, so the same function makes these words when a passage is stored and when a question is asked.
 */

/** Scripts written without spaces between words, or with endings glued on: cut into pairs of characters. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆";
const unspacedRun = new RegExp(`[${unspaced}\\p{M}]*[${unspaced}][${unspaced}\\p{M}]*`, "gu");
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu;
const asciiWord = /[A-Za-z0-9_]+/g;
/** C++, C#, F#, and words that start with a dot: .NET, .env. */
const symbolic = /(?<![\p{L}\p{N}_])(?:(\p{L}{1,3})(\+\+(?![\p{L}+])|#(?![\p{L}\p{N}#]))|\.(\p{L}[\p{L}\p{N}]*))/gu;
const caseChange = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L}{2})(?=\p{N})/u;
const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu;
/** Whether there is anything to find at all: most English prose holds nothing, and is left after two looks. */
const compound = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z]{2}[0-9]/;
const symbolicHint = /[A-Za-z](?:\+\+|#)|(?:^|[^A-Za-z0-9_])\.[A-Za-z]/;
const plain = /^[\x00-\x7f]*$/;

/** Letters that Unicode does not take apart, as people type them without the key. */
const spelt: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ħ: "h" }),
);

/** Lower case without accents: `Résumé` → `resume`, `straße` → `strasse`, `ё` → `е`. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđðþıħ]/g, (letter) => spelt.get(letter) ?? letter)
    .normalize("NFC");
}

/**
 * The extra words of a text, in the order of the text: parts of camelCase words, `C++` `C#` `.NET` as one word each,
 * pairs of characters for scripts without spaces, a word for each emoji.
 */
export function extraWords(text: string): string[] {
  const found: string[] = [];
  const ascii = plain.test(text);
  const source = ascii ? text : text.normalize("NFKC");
  if (!ascii || compound.test(text))
    for (const [whole] of source.matchAll(ascii ? asciiWord : word))
      if (!ascii || compound.test(whole)) found.push(...partsOf(whole));
  if (!ascii || symbolicHint.test(text)) for (const { word } of specials(source)) found.push(word);
  return found;
}

/**
 * A word's form without accents, where the tokenizer would keep another: it takes one mark off a Latin letter, and leaves
 * `ß`, `ø`, `ế`, `ё` and ligatures as they are.
 */
export function spelling(whole: string): string | undefined {
  if (plain.test(whole) || unspacedRuns(whole).length > 0) return undefined;
  const folded = fold(whole);
  const tokenizers = whole
    .toLowerCase()
    .normalize("NFD")
    .replace(/([a-z])\p{M}(?!\p{M})/gu, "$1")
    .normalize("NFC");
  return folded === tokenizers ? undefined : folded;
}

/** The other spellings of a text's words: to be searched as the text is. */
export function spellings(text: string): string[] {
  if (plain.test(text)) return [];
  return [...text.normalize("NFKC").matchAll(word)].flatMap(([whole]) => spelling(whole) ?? []);
}

/** The extra words inside one word; none for an ordinary word. */
export function partsOf(whole: string): string[] {
  const parts: string[] = [];
  if (!plain.test(whole)) {
    const runs = [...whole.matchAll(unspacedRun)];
    if (runs.length > 0) {
      let from = 0;
      for (const run of runs) {
        if (run.index > from) parts.push(fold(whole.slice(from, run.index)));
        parts.push(...pairs(run[0]));
        from = run.index + run[0].length;
      }
      if (from < whole.length) parts.push(fold(whole.slice(from)));
      return parts;
    }
  }
  const pieces = whole
    .split("_")
    .flatMap((piece) => piece.split(caseChange))
    .filter(Boolean);
  // Random ids and plurals of abbreviations (`msg_018gCsT`, `PDFs`, `iOS`) fall into crumbs that are no words.
  const crumbs = pieces.filter((piece) => piece.length < 3 && !/^\p{N}+$/u.test(piece)).length;
  if (caseChange.test(whole) && crumbs * 2 < pieces.length) parts.push(...pieces.map(fold));
  return parts;
}

/** The runs of unspaced scripts in a text. */
export const unspacedRuns = (text: string): string[] =>
  plain.test(text) ? [] : [...text.matchAll(unspacedRun)].map(([run]) => run);

/** Each two neighbours of a run, and its last character alone, so that a single character finds every place. */
export function pairs(run: string): string[] {
  const signs = [...run.replace(/\p{M}/gu, "")];
  return signs.map((sign, i) => sign + (signs[i + 1] ?? ""));
}

/** `C`, `++` → `cplusplus`. */
const symbolWord = (letters: string, sign: string): string => fold(letters) + (sign === "#" ? "sharp" : "plusplus");

/** An emoji as a word that the tokenizer keeps whole. */
const pictureWord = (sign: string): string =>
  `emoji${[...sign].map((part) => (part.codePointAt(0) ?? 0).toString(16)).join("x")}`;

/** The words of typed text that name an operator-like symbol or an emoji, with the place of each: what plain words miss. */
export function specials(text: string): { readonly word: string; readonly typed: string }[] {
  const found = [...text.matchAll(symbolic)].map(([typed, letters, sign, dotted]) => ({
    typed,
    word: dotted === undefined ? symbolWord(letters ?? "", sign ?? "") : `dot${fold(dotted)}`,
  }));
  for (const [typed] of text.matchAll(pictograph)) found.push({ typed, word: pictureWord(typed) });
  return found;
}
