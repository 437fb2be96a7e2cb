/** Plans of embedding models that a test makes. */
import type { EmbedPlan } from "../../src/models/plan.ts";
import type { EmbeddingProfile } from "../../src/models/profile.ts";
import { embedders } from "../../src/models/profiles.ts";
import { lookUp, madeFiles, tokenizer, words } from "./graphs.ts";

/** A vector for every word of the small vocabulary; the special tokens have some too, so that it shows whether they count. */
export const table: readonly (readonly number[])[] = [
  [0, 0, 0, 0],
  [9, 9, 9, 9],
  [1, 0, 0, 1],
  [0, 2, 0, 0],
  [3, 0, 4, 0],
  [0, 6, 0, 2],
  [1, 1, 1, 1],
  [2, 0, 0, 0],
  [5, 5, 5, 5],
  [7, 7, 7, 7],
];
if (table.length !== words.length) throw new Error("the table needs a row for each word");

export const madeProfile: EmbeddingProfile = {
  ...embedders["all-minilm-l6-v2"],
  dims: 4,
  pooling: "mean",
  maxTokens: 8,
  normalise: false,
};

/** A plan of that profile over the table. */
export function madePlan(
  profile: Partial<EmbeddingProfile> = {},
  rest: {
    readonly width?: number;
    readonly normalise?: boolean;
    readonly head?: Uint8Array;
    readonly special?: boolean;
  } = {},
): EmbedPlan {
  const whole = { ...madeProfile, ...profile };
  return {
    name: "all-minilm-l6-v2",
    profile: whole,
    dtype: "float32",
    width: rest.width ?? whole.dims,
    normalise: rest.normalise ?? whole.normalise,
    files: madeFiles(lookUp(table, whole.output), tokenizer(rest.special ?? true), rest.head),
    fingerprint: "made",
  };
}
