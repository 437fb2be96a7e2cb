import type { Database } from "bun:sqlite";
import { GestaltError } from "../errors.ts";
import type { Embedder } from "../models/embed.ts";
import type { EmbedOptions } from "../models/plan.ts";
import { type FusionKnobs, type FusionName, fusionDefaults } from "../rank/fusions.ts";
import { attachVectors, modelId, registerIndex } from "../store/vector-file.ts";
import { link } from "../store/vectors.ts";
import type { Desk } from "./desk.ts";
import { lasting } from "./lasting.ts";
import type { Place } from "./place.ts";

/** Count up when `embeddedText` or `noteText` write otherwise than before. */
const textFormat = 1;

/** A model with the vectors it made of these notes. */
export type Meaning = {
  readonly embedder: Embedder;
  /** The model's id in the file of vectors. */
  readonly model: number;
  readonly fusion: { readonly name: FusionName; readonly knobs: FusionKnobs };
  /** The reranker that suits the model. */
  readonly rerank: { readonly model: string; readonly blend: number };
};

/** What the settings say of the embedding model. */
export const embedOptions = ({
  place,
  settings,
}: Pick<Desk, "settings"> & { readonly place: Pick<Place, "models"> }): EmbedOptions => ({
  models: place.models,
  textFormat,
  profile: settings["embed-profile"],
  dtype: settings["embed-dtype"],
  width: settings["embed-dim"],
  normalise: settings["embed-normalize"],
  device: settings.device,
});

/**
 * Opens the embedding model and points the index at its vectors. The model itself is loaded at its first text.
 *
 * @throws GestaltError "model-missing" or "usage" when there is no such model, "bad-index" when the vectors cannot be read
 */
export async function openMeaning(desk: Desk, db: Database): Promise<Meaning> {
  const [{ openEmbedder }, { embedders, isEmbedder }] = await Promise.all([
    import("../models/embed.ts"),
    import("../models/profiles.ts"),
  ]);
  lasting(db);
  const options = embedOptions(desk);
  const embedder = (await desk.models?.open(options)) ?? openEmbedder(options);
  attachVectors(db, desk.place.vectors, { create: true });
  registerIndex(db);
  const model = modelId(db, embedder.fingerprint, embedder.profile, embedder.dims);
  link(db, model);
  if (!isEmbedder(embedder.profile)) throw new Error(`no profile ${embedder.profile}`);
  const { fusion, rerank } = embedders[embedder.profile];
  return { embedder, model, fusion: fusionOf(desk, fusion), rerank };
}

/** The fusion that suits the model, with what the settings say otherwise. */
function fusionOf(
  { settings }: Desk,
  profile: { readonly method: FusionName } & Pick<FusionKnobs, "alpha" | "norm" | "missing">,
) {
  const knobs: FusionKnobs = {
    k: fusionDefaults.k,
    wBm25: settings["fusion-w-bm25"],
    alpha: settings["fusion-alpha"] ?? profile.alpha,
    norm: settings["fusion-norm"] ?? profile.norm,
    missing: settings["fusion-missing"] ?? profile.missing,
    rescue: {
      rank: settings["rescue-rank"],
      min: settings["rescue-min"],
      window: settings["rescue-window"],
      at: settings["rescue-at"],
      max: settings["rescue-max"],
    },
  };
  return { name: settings.fusion ?? profile.method, knobs };
}

/** Whether an error only means that there is no meaning to be had: words still answer. */
export const isAboutModels = (error: unknown): error is GestaltError =>
  error instanceof GestaltError &&
  ["model-missing", "usage", "bad-index", "newer-index", "io", "busy"].includes(error.code);
