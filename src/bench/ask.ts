import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineSettings } from "../engine/knobs.ts";
import { type Engine, withEngine } from "../engine/open.ts";
import type { Place } from "../engine/place.ts";
import { byMeaning } from "../engine/ranking.ts";
import { folder } from "../notes/folder.ts";
import { type Asking, examine, type Outcome } from "./examine.ts";
import type { Case, Field } from "./golden.ts";
import { withhold } from "./withhold.ts";

/** Folders of notes, and how they are indexed and searched. */
export type Notes = { readonly place: Place; readonly settings: EngineSettings };

/** Fields that are taken out of the index while questions made from them are asked. */
const withheld: readonly (Field | undefined)[] = ["alias", "heading", "summary"];

/** Asks all cases, in their order, of search and of the gate. Those made from a field are asked of an index without it, which is removed afterwards. */
export async function askAll(
  cases: readonly Case[],
  notes: Notes,
  asking: Asking,
  show: (done: number, total: number) => void,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const groups = Map.groupBy(cases, ({ made }) => (withheld.includes(made) ? made : undefined));
  for (const [field, held] of groups)
    await withNotesWithout(notes, field, asking, async (engine) => {
      for (const one of held) {
        outcomes.set(one.id, await examine(engine, one, asking));
        show(outcomes.size, cases.length);
      }
    });
  return cases.flatMap(({ id }) => outcomes.get(id) ?? []);
}

async function withNotesWithout(
  { place, settings }: Notes,
  field: Field | undefined,
  { mode }: Asking,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const measured = async (engine: Engine) => {
    await engine.index({ lexical: mode === "lexical" });
    await engine.measure({ meaning: byMeaning(mode) });
    await use(engine);
  };
  if (field === undefined) return await withEngine({ place, settings }, measured);
  const scratch = mkdtempSync(join(tmpdir(), "gestalt-eval-"));
  try {
    const sources = place.vaults.map(({ name, root }) => withhold(folder(name, root, settings), field));
    await withEngine({ place: { ...place, db: join(scratch, "index.db") }, settings, sources }, measured);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
