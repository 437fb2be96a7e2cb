import { type BeirEntry, readEntries, toEntry } from "./jsonl.ts";
import { badLine, readRange } from "./lines.ts";

/** A document of a benchmark. `ordinal` is its place in the corpus, from 0. */
export type Document = BeirEntry & { readonly ordinal: number };

/** The documents of a `corpus.jsonl`. They stay on disk: what is held is their ids and where their lines are. */
export type Corpus = {
  readonly file: string;
  /** In the order of the file: the n-th id is that of ordinal n. */
  readonly ids: ReadonlyMap<string, number>;
  /** By ordinal. */
  readonly groups: readonly (string | undefined)[];
  /** Bytes of a document's line. */
  length(ordinal: number): number;
  /** The line of a document as it stands in the file. */
  line(ordinal: number): Uint8Array;
  /** One pass over the file. */
  documents(): Iterable<Document>;
};

/**
 * Reads a corpus once, to know its documents and to check every line.
 *
 * @throws GestaltError("bad-dataset") with file and line, as `readEntries`, and for an id that comes twice
 */
export function openCorpus(file: string): Corpus {
  const ids = new Map<string, number>();
  const starts: number[] = [];
  const lengths: number[] = [];
  const groups: (string | undefined)[] = [];
  const names = new Map<string, string>();
  for (const { line, entry } of readEntries(file)) {
    if (ids.has(entry.id)) throw badLine(file, line.number, `document ${entry.id} comes twice`);
    ids.set(entry.id, ids.size);
    starts.push(line.start);
    lengths.push(line.length);
    groups.push(entry.group === undefined ? undefined : interned(names, entry.group));
  }
  const place = (ordinal: number): readonly [start: number, length: number] => {
    const start = starts[ordinal];
    const length = lengths[ordinal];
    if (start === undefined || length === undefined) throw new RangeError(`no document ${ordinal} in ${file}`);
    return [start, length];
  };
  return {
    file,
    ids,
    groups,
    length: (ordinal) => place(ordinal)[1],
    line: (ordinal) => readRange(file, ...place(ordinal)),
    documents: () => numbered(file),
  };
}

/** One string for all documents of a group, instead of one each. */
function interned(names: Map<string, string>, name: string): string {
  const known = names.get(name);
  if (known === undefined) names.set(name, name);
  return known ?? name;
}

function* numbered(file: string): Generator<Document> {
  let ordinal = 0;
  for (const { entry } of readEntries(file)) {
    yield { ...entry, ordinal };
    ordinal += 1;
  }
}

/** A document from its line. @throws GestaltError("bad-dataset") as `openCorpus` */
export const toDocument = (line: Uint8Array, file: string, ordinal: number): Document => ({
  ...toEntry(new TextDecoder().decode(line), file, ordinal + 1),
  ordinal,
});
