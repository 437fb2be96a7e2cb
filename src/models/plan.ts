import { createHash } from "node:crypto";
import { GestaltError } from "../errors.ts";
import { findModel } from "./catalogue.ts";
import type { Device } from "./device.ts";
import { locate, type ModelFiles } from "./locate.ts";
import type { Dtype, EmbeddingProfile, Narrowing } from "./profile.ts";
import { builtIn, type EmbedderName, embedders, isEmbedder } from "./profiles.ts";

/** What a caller may choose. Data only, so that it can be sent to a worker. */
export type EmbedOptions = {
  /** The folder of all models, as `weights.ts` fills it. */
  readonly models: string;
  /** Version of the form in which the caller writes a passage as text. */
  readonly textFormat: number;
  /** A row of the model table; the built-in one when unset. */
  readonly profile?: string | undefined;
  readonly dtype?: Dtype | undefined;
  /** A Matryoshka width of the profile, or its full width. */
  readonly width?: number | undefined;
  /** Whether full-width vectors are scaled to length 1; the profile's way when unset. Narrower ones always are. */
  readonly normalise?: boolean | undefined;
  readonly device?: Device | undefined;
  /** Threads inside one operator. */
  readonly threads?: number | undefined;
};

/** Everything that follows from the options before any file is read. */
export type EmbedPlan = {
  readonly name: EmbedderName;
  readonly profile: EmbeddingProfile;
  readonly dtype: Dtype;
  /** Numbers in a vector. */
  readonly width: number;
  readonly normalise: boolean;
  readonly files: ModelFiles;
  /** 32 hex digits that change whenever a vector may: weights, tokenizer, prefixes, cut, pooling, width, scale, text format. */
  readonly fingerprint: string;
};

/**
 * Works out which model is meant and how its vectors are made.
 *
 * @throws GestaltError "usage" for a name, variant or width that is not there, "model-missing" for weights that are not
 */
export function planEmbedding(options: EmbedOptions): EmbedPlan {
  const name = options.profile ?? builtIn;
  if (!isEmbedder(name))
    throw new GestaltError("usage", `no embedding model ${name}`, `one of ${Object.keys(embedders).join(", ")}`);
  const profile: EmbeddingProfile = embedders[name];
  const dtype = options.dtype ?? profile.weights.dtype;
  const width = options.width ?? profile.dims;
  if (width !== profile.dims && !allows(profile.narrowing, width, profile.dims))
    throw new GestaltError("usage", `${name} has no vectors of ${width} numbers`, `one of ${widthsOf(profile)}`);
  const normalise = width !== profile.dims || (options.normalise ?? profile.normalise);
  const files = locate(findModel(`embed/${name}`), dtype, options.models);
  const { pooling, prefix, maxTokens, output, narrowing } = profile;
  const layerNorm = width !== profile.dims && narrowing?.layerNorm === true;
  const all = [
    files.hashes,
    dtype,
    output,
    pooling,
    prefix,
    maxTokens,
    width,
    layerNorm,
    normalise,
    options.textFormat,
  ];
  const fingerprint = createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32);
  return { name, profile, dtype, width, normalise, files, fingerprint };
}

function allows(narrowing: Narrowing | null, width: number, dims: number): boolean {
  if (narrowing === null || !Number.isInteger(width)) return false;
  return "from" in narrowing.widths ? width >= narrowing.widths.from && width < dims : narrowing.widths.includes(width);
}

function widthsOf({ dims, narrowing }: EmbeddingProfile): string {
  if (narrowing === null) return String(dims);
  return "from" in narrowing.widths ? `${narrowing.widths.from} to ${dims}` : [dims, ...narrowing.widths].join(", ");
}
