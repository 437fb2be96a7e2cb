import type { Ranking } from "../types.ts";
import { type ConvexKnobs, convex } from "./convex.ts";
import type { Legs } from "./ranking.ts";
import { type RescueKnobs, rescue } from "./rescue.ts";
import { rrf } from "./rrf.ts";

/** All that can be set about fusing. A row of the table takes what it needs. */
export type FusionKnobs = ConvexKnobs & {
  /** Damping of RRF, 0 or more. */
  readonly k: number;
  /** The lexical leg's share in weighted RRF, in [0, 1]. */
  readonly wBm25: number;
  readonly rescue: Omit<RescueKnobs, "norm">;
};

/** The values of the reference implementation, where no profile says otherwise. */
export const fusionDefaults: FusionKnobs = {
  k: 60,
  wBm25: 0.5,
  alpha: 0.5,
  norm: "minmax",
  missing: "zero",
  rescue: { rank: 3, min: 0.5, window: 20, at: 5, max: 2 },
};

/** A way to make one ranking of two. Either leg may be empty. `about` is its line in the help. */
export type Fusion = { readonly about: string; readonly fuse: (legs: Legs, knobs: FusionKnobs) => Ranking };

/** Every way to fuse. Add a line here; the `--fusion` flag, its help and the laws follow. */
export const fusions = {
  half: {
    about: "half words, half meaning, by z-score; a document one of them lacks gets its lowest score",
    fuse: (legs) => convex(legs, { alpha: 0.5, norm: "zscore", missing: "leg_min" }),
  },
  convex: {
    about: "weighted mean of normalised scores",
    fuse: convex,
  },
  rrf: {
    about: "reciprocal rank fusion: looks at ranks only",
    fuse: ({ lexical, dense }, { k }) => rrf([lexical.ranking, dense.ranking], k),
  },
  wrrf: {
    about: "reciprocal rank fusion with a weight for each leg",
    fuse: ({ lexical, dense }, { k, wBm25: w }) => rrf([lexical.ranking, dense.ranking], k, [2 * w, 2 * (1 - w)]),
  },
  rescue: {
    about: "order of meaning, with the best lexical hits it lacks put in",
    fuse: (legs, { norm, rescue: knobs }) => rescue(legs, { norm, ...knobs }),
  },
} satisfies Record<string, Fusion>;

export type FusionName = keyof typeof fusions;
