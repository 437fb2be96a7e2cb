import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GestaltError } from "../errors.ts";
import { writeSyntheticNotes } from "./synthetic.ts";
import { type ProcessRow, type Timing, timeProcess } from "./timing.ts";

/** One figure of a vault of so many notes. */
export type SpeedTiming = Timing & { readonly notes: number };

export type SpeedOptions = {
  /** The program that is measured. */
  readonly executable: string;
  readonly sizes: readonly number[];
  readonly onProgress?: ((what: string) => void) | undefined;
};

/**
 * Measures index and search by words on made-up notes of each size, in a folder that is removed afterwards. Waits for a
 * quiet machine before each run, and counts the runs that did not get one.
 *
 * @throws GestaltError("not-found") when there is no such program, "bad-dataset" when it fails
 */
export async function measureSpeed({ executable, sizes, onProgress }: SpeedOptions): Promise<readonly SpeedTiming[]> {
  if (!existsSync(executable)) throw new GestaltError("not-found", `there is no ${executable}`, "bun run build");
  const timings: SpeedTiming[] = [];
  for (const notes of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "gestalt-speed-"));
    try {
      onProgress?.(`writing ${notes} notes`);
      writeSyntheticNotes(join(folder, "notes"), notes);
      for (const row of rows(folder, notes)) {
        onProgress?.(`${row.what}, ${notes} notes`);
        timings.push({ notes, ...(await timeProcess(executable, row)) });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return timings;
}

function rows(folder: string, notes: number): readonly ProcessRow[] {
  const places = ["--vault", join(folder, "notes"), "--search-dir", join(folder, "index")];
  const few = notes > 20_000 ? 2 : 4;
  const search = ["search", "--mode", "lexical", ...places, "retry queue latency"];
  const changed = join(folder, "notes", "area-0", "note-0.md");
  let edits = 0;
  return [
    {
      what: "index",
      argv: ["index", "--lexical", ...places],
      runs: few,
      before: () => rmSync(join(folder, "index"), { recursive: true, force: true }),
    },
    { what: "index, nothing changed", argv: ["index", "--lexical", ...places], runs: 2 * few },
    { what: "search", argv: search, runs: 20 },
    {
      what: "search, one note changed",
      argv: search,
      runs: 8,
      before: () => writeFileSync(changed, `${readFileSync(changed, "utf8")}\nedit ${edits++}\n`),
    },
  ];
}
