import { GestaltError } from "../errors.ts";
import type { Dtype, WeightFile, Weights } from "./profile.ts";
import { builtIn, embedders } from "./profiles.ts";
import { rerankers } from "./rerankers.ts";

/** A model whose weights can be had. `id` is its kind and name: the two kinds share names. */
export type Entry = {
  readonly id: string;
  readonly kind: "embed" | "rerank";
  readonly name: string;
  readonly weights: Weights;
  readonly head: WeightFile | null;
};

/** Every model, embedders first. */
export const catalogue: readonly Entry[] = [
  ...Object.entries(embedders).map(
    ([name, { weights, head }]) => ({ id: `embed/${name}`, kind: "embed", name, weights, head }) as const,
  ),
  ...Object.entries(rerankers).map(
    ([name, { weights }]) => ({ id: `rerank/${name}`, kind: "rerank", name, weights, head: null }) as const,
  ),
];

/**
 * The model of that id, or of that bare name where only one kind has it.
 *
 * @throws GestaltError "usage" naming what there is
 */
export function findModel(id: string, entries: readonly Entry[] = catalogue): Entry {
  const found = entries.filter((entry) => entry.id === id || entry.name === id);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const [problem, ids] =
    first === undefined ? [`no model ${id}`, entries] : [`${id} is an embedder and a reranker`, found];
  throw new GestaltError("usage", problem, `one of ${ids.map((entry) => entry.id).join(", ")}`);
}

/** Every file of one variant: graph, its data, tokenizer, head. Undefined when the model has no such variant. */
export function filesOf({ weights, head }: Entry, dtype: Dtype): readonly WeightFile[] | undefined {
  const variant = weights.variants[dtype];
  if (variant === undefined) return undefined;
  return [variant.graph, ...(variant.data ?? []), weights.tokenizer, ...(head === null ? [] : [head])];
}

/** Whether the executable carries this variant. */
export const isBuiltIn = (entry: Entry, dtype: Dtype): boolean =>
  entry.kind === "embed" && entry.name === builtIn && dtype === entry.weights.dtype;
