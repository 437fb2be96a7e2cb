import { type Entry, findModel } from "../models/catalogue.ts";
import { type Checked, importModel, type Listed, listModels, removeModel, verifyModel } from "../models/installed.ts";
import type { Dtype } from "../models/profile.ts";
import { fetchAll, getModel, type Progress } from "../models/weights.ts";

/** One variant of one model, as a person names it. `dtype`: what the model usually runs in when undefined. */
export type Chosen = { readonly id: string; readonly dtype: Dtype | undefined };

/** What can be done with the weights below the folder `models`. Each verb throws what its namesake in `models` throws. */
export type ModelShelf = {
  readonly models: string;
  list(): readonly Listed[];
  /** Fetches what is missing. The only verb that uses the network. */
  get(chosen: Chosen, onProgress: (progress: Progress) => void): Promise<Listed>;
  /** Returns the paths that were placed. */
  import(chosen: Chosen, from: string): Promise<readonly string[]>;
  verify(chosen: Chosen): Promise<readonly Checked[]>;
  /** False when there was nothing. */
  remove(id: string): boolean;
};

export function openModelShelf(models: string): ModelShelf {
  const find = ({ id, dtype }: Chosen): readonly [Entry, Dtype] => {
    const entry = findModel(id);
    return [entry, dtype ?? entry.weights.dtype];
  };
  return {
    models,
    list: () => listModels(models),
    async get(chosen, onProgress) {
      const [entry, dtype] = find(chosen);
      await getModel(entry, dtype, { models, onProgress });
      const got = listModels(models, [entry]).find((listed) => listed.dtype === dtype);
      if (got === undefined) throw new Error(`${entry.id} has no ${dtype} after it was fetched`);
      return got;
    },
    import: (chosen, from) => importModel(...find(chosen), from, models),
    verify: (chosen) => verifyModel(...find(chosen), models),
    remove: (id) => removeModel(findModel(id), models),
  };
}

/**
 * Fetches any file into `part`, going on where it was, as the weights are fetched. Whoever asks checks what came.
 *
 * @throws GestaltError "download" when it fails
 */
export async function fetchFile(
  url: string,
  part: string,
  bytes: number | null,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  // A hash is stated, so that the host need not state one.
  await fetchAll(url, { path: part, sha256: "", bytes }, part, { onProgress });
}
