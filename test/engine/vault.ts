import { Database } from "bun:sqlite";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EngineSettings, engineKnobs } from "../../src/engine/knobs.ts";
import { type Engine, withEngine } from "../../src/engine/open.ts";
import type { Place } from "../../src/engine/place.ts";
import type { Answer, AskedMode } from "../../src/engine/search.ts";
import { resolveSettings } from "../../src/settings.ts";
import { temporaryFolder } from "../door.ts";

/** A folder of notes with an index of its own, far from the user's. */
export type Vault = {
  readonly root: string;
  readonly place: Place;
  /** Writes a note, and its folders; returns where it is. */
  write(path: string, text: string | Uint8Array): string;
  move(from: string, to: string): void;
  remove(path: string): void;
  open<T>(use: (engine: Engine) => Promise<T>, settings?: Partial<EngineSettings>): Promise<T>;
  index(settings?: Partial<EngineSettings>): ReturnType<Engine["index"]>;
  ask(query: string, mode?: AskedMode): Promise<Answer>;
  /** The paths of the hits, best first, each once. */
  paths(query: string, mode?: AskedMode): Promise<string[]>;
};

export const defaults: EngineSettings = resolveSettings({ env: {} }, engineKnobs).values;

/** @param notes what stands in the folder at first: path → text */
export function openVault(notes: Readonly<Record<string, string>> = {}): Vault {
  const folder = temporaryFolder();
  const root = join(folder, "notes");
  mkdirSync(root);
  const place: Place = {
    vaults: [{ name: "notes", root }],
    db: join(folder, "index", "notes.db"),
    vectors: join(folder, "vectors.db"),
    models: join(folder, "models"),
    why: "a test",
  };
  const vault: Vault = {
    root,
    place,
    write(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    move(from, to) {
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, from), join(root, to));
    },
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    open: (use, settings) => withEngine({ place, settings: { ...defaults, ...settings } }, use),
    index: (settings) => vault.open((engine) => engine.index({ lexical: true }), settings),
    ask: (query, mode = "lexical") => vault.open((engine) => engine.search(query, { limit: 10, mode })),
    async paths(query, mode) {
      const { hits } = await vault.ask(query, mode);
      return [...new Set(hits.map(({ path }) => path))];
    },
  };
  for (const [path, text] of Object.entries(notes)) vault.write(path, text);
  return vault;
}

/** Opens an index as it lies on disk, for looking at it behind the engine's back. */
export function looking<T>(path: string, use: (db: Database) => T): T {
  const db = new Database(path, { readwrite: true });
  try {
    db.run("PRAGMA busy_timeout = 10000");
    return use(db);
  } finally {
    db.close();
  }
}

/** Every row of an index, and every word of every passage, without ids, times and inodes: equal for equal notes. */
export function dump(path: string): Record<string, readonly unknown[]> {
  return looking(path, (db) => {
    db.run("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, passage_text, 'instance')");
    const rows = (sql: string): unknown[] => db.query<never, []>(sql).values();
    const note = "(SELECT path FROM note WHERE note.id = note)";
    return {
      notes:
        rows(`SELECT path, hex(hash), stem, size, title, created, modified, sensitivity, superseded_by, valid_until,
                          excluded, fields, hex(key) FROM note ORDER BY path`),
      sections: rows(`SELECT ${note}, ordinal, level, headings, block, first, last FROM section ORDER BY 1, 2`),
      passages:
        rows(`SELECT note.path, section.ordinal, passage.block, passage.text, passage.first, passage.last, anchors, hex(passage.key)
                        FROM passage JOIN section ON section.id = passage.section JOIN note ON note.id = section.note
                       ORDER BY 1, 2, passage.id`),
      names: rows(`SELECT ${note}, folded, name, alias FROM name ORDER BY 1, 2, 3`),
      tags: rows(`SELECT ${note}, tag FROM tag ORDER BY 1, 2`),
      links: rows(`SELECT ${note}, kind, target, anchor, text, line FROM link ORDER BY 1, 6, 3, 5`),
      warnings: rows(`SELECT ${note}, line, message FROM warning ORDER BY 1, 2, 3`),
      words: rows(`SELECT note.path, section.ordinal, passage.block, term, col, offset FROM temp.words
                     JOIN passage ON passage.id = doc JOIN section ON section.id = passage.section
                     JOIN note ON note.id = section.note ORDER BY 1, 2, 3, col, offset, term`),
      counts: rows("SELECT (SELECT count(*) FROM passage), (SELECT count(*) FROM passage_text)"),
    };
  });
}

/** What SQLite and FTS5 have to say against an index; empty when it is whole. */
export function faults(path: string): string[] {
  return looking(path, (db) => {
    const said = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    const stray = db.query<{ n: number }, []>("SELECT count(*) AS n FROM pragma_foreign_key_check").get();
    // Killed before its first shape was made, a file is empty, and whole.
    const empty = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version === 0;
    try {
      if (!empty) db.run("INSERT INTO passage_text (passage_text) VALUES ('integrity-check')");
    } catch (error) {
      said.push({ integrity_check: String(error) });
    }
    if (stray?.n !== 0) said.push({ integrity_check: `${stray?.n} rows without their parent` });
    return said.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
  });
}

/** Sentences of one subject: meaning alone is lost among notes that are made of them. */
export const talk = [
  "The service waits longer after each failure and gives up in the end.",
  "When the limit is reached, requests are refused until the window has passed.",
  "Configuration is read once at the start and never again.",
  "The build compiles everything and runs the tests before it publishes.",
  "A record of what went wrong helps whoever is on call the next night.",
  "Settings of one machine must not leak into those of another.",
];
