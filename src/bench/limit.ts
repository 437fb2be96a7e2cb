import { type Dataset, hasRelevant } from "./beir.ts";
import type { Corpus } from "./corpus.ts";

/** Most queries of a data set that is made small. */
const QUERIES = 50;

/**
 * A data set made small, to see in minutes whether a run works: what is relevant to its first queries, as far as it
 * fits, filled up with the first of the other documents. Scores on it say nothing of the data set.
 *
 * @param most documents that are kept, 1 or more
 */
export function limitDocuments(dataset: Dataset, most: number): Dataset {
  const { corpus, queries, qrels } = dataset;
  const wanted = new Set<string>();
  for (const { id } of queries.slice(0, QUERIES))
    for (const [document, grade] of qrels.get(id) ?? []) if (grade > 0 && wanted.size < most) wanted.add(document);
  for (const id of corpus.ids.keys()) if (wanted.size < most) wanted.add(id);
  const kept = new Map(
    [...qrels].map(([query, judged]) => [query, new Map([...judged].filter(([document]) => wanted.has(document)))]),
  );
  const asked = queries.slice(0, QUERIES).filter(({ id }) => hasRelevant(kept, id));
  return {
    ...dataset,
    corpus: only(corpus, wanted),
    queries: asked,
    qrels: new Map(asked.map(({ id }) => [id, kept.get(id) ?? new Map()])),
  };
}

/** The documents of these ids, in their order, numbered anew. */
function only(corpus: Corpus, wanted: ReadonlySet<string>): Corpus {
  const kept = [...corpus.ids].filter(([id]) => wanted.has(id));
  const ordinals = kept.map(([, ordinal]) => ordinal);
  const original = (ordinal: number): number => ordinals[ordinal] ?? Number.NaN;
  return {
    file: corpus.file,
    ids: new Map(kept.map(([id], i) => [id, i])),
    groups: ordinals.map((ordinal) => corpus.groups[ordinal]),
    length: (ordinal) => corpus.length(original(ordinal)),
    line: (ordinal) => corpus.line(original(ordinal)),
    *documents() {
      let ordinal = 0;
      for (const document of corpus.documents()) if (wanted.has(document.id)) yield { ...document, ordinal: ordinal++ };
    },
  };
}
