import type { Tokenizer } from "@huggingface/tokenizers";
import { messageOf } from "../errors.ts";

/** Token ids of one input and, beside each, the number of the segment it belongs to (0, or 1 in the second text of a pair). */
export type Encoding = { readonly ids: readonly number[]; readonly types: readonly number[] };

/** Text to ids, as the Rust tokenizers do it; never throws, whatever the text, and never gives more than `maxTokens` ids. */
export type TextEncoder = {
  /** One text with the model's special tokens around it, the text cut at its end. */
  encode(text: string): Encoding;
  /** Two texts as a cross-encoder reads them. The second is cut first; the first keeps at most half the room. */
  encodePair(first: string, second: string): Encoding;
  /** Ids without special tokens around; a special token written in the text counts as plain letters. Not cut to `maxTokens`. */
  encodePlain(text: string): readonly number[];
  /** The same, but special tokens in the text are themselves: for prompts of our own. */
  encodePrompt(text: string): readonly number[];
};

/** No token of a natural text is longer on average. What lies beyond is cut before tokenising, which costs memory by length. */
const charactersPerToken = 32;

/** Ideographs beyond 16 bits, in the ranges of the Rust BertNormalizer; the library looks at 16-bit units and misses them. */
const farIdeograph = /[\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Builds an encoder from the contents of a `tokenizer.json`.
 *
 * What the file says of padding and cutting does not count: `maxTokens` does. Known difference from the Rust library: marks
 * that Unicode added of late are stripped here and not there.
 *
 * @param settings the parsed file; its vocabulary may be left empty when it is given as text
 * @param maxTokens longest encoding, special tokens included
 * @param vocabulary one word a line, the line number (from 0) being its id: WordPiece only
 * @throws Error when the settings are not those of a tokenizer
 */
export async function openTokenizer(settings: unknown, maxTokens: number, vocabulary?: string): Promise<TextEncoder> {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  if (!isSettings(settings)) throw new Error("this is not a tokenizer.json: it has no model");
  const tokenizer = build(() => new Tokenizer(settings, {}));
  if (vocabulary !== undefined) fillVocabulary(tokenizer, vocabulary);

  const spaced = settings.normalizer?.type === "BertNormalizer" && settings.normalizer.handle_chinese_chars !== false;
  const bare = (text: string, by: Tokenizer = tokenizer): number[] => {
    const short = text.length > maxTokens * charactersPerToken ? text.slice(0, maxTokens * charactersPerToken) : text;
    const whole = short.toWellFormed();
    const ids = by.encode(spaced ? whole.replace(farIdeograph, " $& ") : whole, { add_special_tokens: false }).ids;
    // A vocabulary without an unknown word yields undefined for what it lacks.
    return ids.filter((id) => id !== undefined);
  };

  const one = frameOf(tokenizer);
  let two: PairFrame | undefined;
  let plain: Tokenizer | undefined;
  return {
    encode(text) {
      const body = bare(text).slice(0, Math.max(0, maxTokens - one.before.length - one.after.length));
      const ids = [...one.before, ...body, ...one.after];
      return { ids, types: new Array<number>(ids.length).fill(0) };
    },
    encodePair(first, second) {
      two ??= pairFrameOf(tokenizer);
      const room = Math.max(0, maxTokens - two.before.length - two.between.length - two.after.length);
      const a = bare(first).slice(0, Math.ceil(room / 2));
      const b = bare(second).slice(0, room - a.length);
      const [typeA, typeB] = two.types;
      const head = [...two.before, ...a];
      const tail = [...b, ...two.after];
      return {
        ids: [...head, ...two.between, ...tail],
        types: [...head.map(() => typeA), ...two.between.map(() => typeA), ...tail.map(() => typeB)],
      };
    },
    encodePlain(text) {
      if (plain === undefined) {
        plain = new Tokenizer(withoutVocabulary(settings), {});
        plain.model = tokenizer.model;
      }
      return bare(text, plain);
    },
    encodePrompt: (text) => bare(text),
  };
}

type Settings = {
  readonly model: { readonly vocab?: unknown };
  readonly normalizer?: { readonly type?: string; readonly handle_chinese_chars?: boolean } | null;
};

const isSettings = (value: unknown): value is Settings =>
  typeof value === "object" &&
  value !== null &&
  "model" in value &&
  typeof value.model === "object" &&
  value.model !== null;

function build(make: () => Tokenizer): Tokenizer {
  try {
    return make();
  } catch (error) {
    throw new Error(`the tokenizer cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Puts words into a tokenizer that was made without any: half the time of going through an object of 30,000 keys. */
function fillVocabulary({ model }: Tokenizer, vocabulary: string): void {
  if (model === null) throw new Error("this tokenizer has no model");
  const words = vocabulary.split("\n");
  for (const [id, word] of words.entries()) model.tokens_to_ids.set(word, id);
  model.vocab = words;
  if (model.unk_token !== undefined) {
    const unknown = model.tokens_to_ids.get(model.unk_token);
    if (unknown !== undefined) model.unk_token_id = unknown;
  }
}

/** Settings of the same tokenizer that knows no special token; its model is to be replaced. */
const withoutVocabulary = (settings: Settings): object => ({
  ...settings,
  added_tokens: [],
  model: {
    ...settings.model,
    vocab: Array.isArray(settings.model.vocab) ? settings.model.vocab.slice(0, 8) : {},
    merges: [],
  },
});

/** Any word that every vocabulary has: what stands around it is what the model wants around a text. */
const probe = "a";

type Frame = { readonly before: readonly number[]; readonly after: readonly number[] };

function frameOf(tokenizer: Tokenizer): Frame {
  const { ids } = tokenizer.encode(probe);
  const bare = tokenizer.encode(probe, { add_special_tokens: false }).ids;
  const at = indexOfRun(ids, bare, 0);
  return { before: ids.slice(0, at), after: ids.slice(at + bare.length) };
}

type PairFrame = Frame & {
  readonly between: readonly number[];
  readonly types: readonly [first: number, second: number];
};

function pairFrameOf(tokenizer: Tokenizer): PairFrame {
  const { ids, token_type_ids: types } = tokenizer.encode(probe, { text_pair: probe, return_token_type_ids: true });
  const bare = tokenizer.encode(probe, { add_special_tokens: false }).ids;
  const first = indexOfRun(ids, bare, 0);
  const second = indexOfRun(ids, bare, first + bare.length);
  return {
    before: ids.slice(0, first),
    between: ids.slice(first + bare.length, second),
    after: ids.slice(second + bare.length),
    types: [types?.[first] ?? 0, types?.[second] ?? 0],
  };
}

function indexOfRun(ids: readonly number[], run: readonly number[], from: number): number {
  for (let at = from; at + run.length <= ids.length; at++) if (run.every((id, i) => ids[at + i] === id)) return at;
  throw new Error("the tokenizer loses a plain word among its special tokens");
}
