import type { Database } from "bun:sqlite";

/** In order, for ever. Never edit one that has shipped; add another. */
const migrations: readonly ((db: Database) => void)[] = [
  function m001_notes(db) {
    db.run(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`);
    db.run(`CREATE TABLE vault (id INTEGER PRIMARY KEY, name TEXT NOT NULL, root TEXT NOT NULL UNIQUE) STRICT`);
    // An inode can pass 2^53 and then lives in a double: REAL keeps what the file system call gave.
    db.run(`CREATE TABLE note (id INTEGER PRIMARY KEY, vault INTEGER NOT NULL REFERENCES vault ON DELETE CASCADE,
              path TEXT NOT NULL, stem TEXT NOT NULL, hash BLOB NOT NULL,
              mtime REAL NOT NULL, size REAL NOT NULL, ino REAL NOT NULL,
              title TEXT NOT NULL, created TEXT, modified TEXT, sensitivity TEXT NOT NULL,
              superseded_by TEXT, valid_until TEXT, excluded INTEGER NOT NULL, fields TEXT NOT NULL, key BLOB, vector INTEGER,
              UNIQUE (vault, path)) STRICT`);
    db.run("CREATE INDEX note_stem ON note (stem)");
    db.run("CREATE INDEX note_hash ON note (hash)");
    db.run(`CREATE TABLE name (note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
              folded TEXT NOT NULL, name TEXT NOT NULL, alias INTEGER NOT NULL) STRICT`);
    db.run("CREATE INDEX name_folded ON name (folded)");
    db.run("CREATE INDEX name_note ON name (note)");
    db.run("CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, tag TEXT NOT NULL) STRICT");
    db.run("CREATE INDEX tag_note ON tag (note)");
    db.run("CREATE INDEX tag_tag ON tag (tag)");
    db.run(
      `CREATE TABLE supersedes (note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, target TEXT NOT NULL) STRICT`,
    );
    db.run("CREATE INDEX supersedes_note ON supersedes (note)");
    db.run("CREATE INDEX supersedes_target ON supersedes (target)");
    db.run(`CREATE TABLE link (note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, kind TEXT NOT NULL,
              target TEXT NOT NULL, anchor TEXT NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL) STRICT`);
    db.run("CREATE INDEX link_note ON link (note)");
    db.run("CREATE INDEX link_target ON link (target)");
    db.run(`CREATE TABLE warning (note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
              line INTEGER NOT NULL, message TEXT NOT NULL) STRICT`);
    db.run("CREATE INDEX warning_note ON warning (note)");
  },
  function m002_sections_and_passages(db) {
    db.run(`CREATE TABLE section (id INTEGER PRIMARY KEY, note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
              ordinal INTEGER NOT NULL, level INTEGER NOT NULL, headings TEXT NOT NULL, block TEXT NOT NULL,
              first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT`);
    db.run("CREATE INDEX section_note ON section (note, ordinal)");
    db.run(`CREATE TABLE passage (id INTEGER PRIMARY KEY, section INTEGER NOT NULL REFERENCES section ON DELETE CASCADE,
              block TEXT NOT NULL, text TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, anchors TEXT NOT NULL,
              key BLOB NOT NULL, vector INTEGER) STRICT`);
    db.run("CREATE INDEX passage_section ON passage (section)");
    db.run("CREATE INDEX passage_unembedded ON passage (id) WHERE vector IS NULL");
    // Contentless: the text is in \`passage\` already. A row is removed by its id alone.
    db.run(`CREATE VIRTUAL TABLE passage_text USING fts5(title, headings, text, extra,
              content='', contentless_delete=1, tokenize='porter unicode61')`);
    db.run(`CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
              DELETE FROM passage_text WHERE rowid = old.id; END`);
  },
];

/** The newest shape this program knows. */
export const schema = migrations.length;

/** The shape a database has; 0 for a new one. */
export const schemaOf = (db: Database): number =>
  db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;

/** Brings a database to the newest shape: all pending steps, or none. Call it under the writer's lock. */
export function migrate(db: Database): void {
  if (schemaOf(db) >= schema) return;
  db.transaction(() => {
    for (const step of migrations.slice(schemaOf(db))) step(db);
    db.run(`PRAGMA user_version = ${schema}`);
  }).immediate();
}
