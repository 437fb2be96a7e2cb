import type { ModelShelf } from "../../engine/models.ts";
import { knobs } from "../../knobs.ts";

/** The variant of a model, for the commands that work on one. */
export const dtypeArg = {
  kind: "choice",
  options: knobs["embed-dtype"].options,
  description: "variant of the weights; the model's usual one when not given",
} as const;

export const idArg = {
  kind: "positional",
  required: true,
  description: "a model as gestalt model list names it",
} as const;

/** The weights on this machine. */
export async function openShelf(): Promise<ModelShelf> {
  const [{ openModelShelf }, { shelves }] = await Promise.all([
    import("../../engine/models.ts"),
    import("../../engine/place.ts"),
  ]);
  return openModelShelf(shelves(undefined, process.cwd()).models);
}

export const megabytes = (bytes: number | null): string => (bytes === null ? "? MB" : `${(bytes / 1e6).toFixed(0)} MB`);
