/** Letters of other scripts that a reader takes for Latin ones. */
const alike: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аαɑ",
    b: "вЬ",
    c: "сϲ",
    d: "ԁ",
    e: "еεҽ",
    g: "ɡց",
    h: "һн",
    i: "іιıɩ",
    j: "јϳ",
    k: "кκ",
    l: "ӏ",
    m: "м",
    n: "ոп",
    o: "оοօ",
    p: "рρ",
    q: "ԛ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υս",
    v: "ѵν",
    w: "ԝω",
    x: "хχ",
    y: "уγ",
    z: "ᴢ",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

const entity = /&(?:amp;)*#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi;

/**
 * A text as a quick reader takes it: entities read, letters of other widths, faces and scripts as the Latin ones that they look
 * like, without accents. For comparing names, not for showing.
 */
export const folded = (text: string): string =>
  text
    .replace(entity, (found, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
    })
    .replace(/&(?:amp;)*(?:hyphen|dash|shy|nbsp|lowbar|[nm]dash);?/gi, "-")
    .normalize("NFKD")
    .replace(/[\p{M}\ufffd]/gu, "")
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => alike.get(letter) ?? letter);
