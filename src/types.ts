/** The few nouns that cross rooms. A noun used by one room lives in that room. */

/** What the disk says of a file: when all three are as stored, the file is left unread. `mtime` in milliseconds, with fraction. */
export type Stat = { readonly mtime: number; readonly size: number; readonly ino: number };

/** A file a sweep has seen. `path` is relative to its source, with `/` between the parts on every system. */
export type Entry = { readonly path: string; readonly stat: Stat };

/**
 * A file or folder that a sweep passed over, and why, in words for a person. `unreadable`: nobody could look, so what the
 * index knows of it stays.
 */
export type Skip = { readonly path: string; readonly reason: string; readonly unreadable?: true };

/** Something odd in a note that did not keep it out of the index. `line` is 1-based, counted in the file on disk. */
export type Warning = { readonly path: string; readonly line: number; readonly message: string };

/**
 * A piece of a section that is searched as one. `text` is the body without the section's heading line. `start` and `end`
 * are 1-based lines of the file, both included. `block` is unique in its note; `anchors` are the `^ids` defined inside, without the caret.
 */
export type Passage = {
  readonly block: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly anchors: readonly string[];
};

/**
 * A heading and all up to the next heading of any level. `level` is 1 to 6, or 0 for what stands before the first
 * heading. `headings` runs from the outermost heading to this one's own (empty at level 0). `start` is the heading's own line.
 */
export type Section = {
  readonly level: number;
  readonly headings: readonly string[];
  readonly block: string;
  readonly start: number;
  readonly end: number;
  readonly passages: readonly Passage[];
};

/** A link as written. `anchor` is what follows `#`, `""` when nothing does; a block anchor keeps its caret. `line` is 1-based. */
export type Link = {
  readonly kind: "wiki" | "markdown";
  readonly target: string;
  readonly anchor: string;
  readonly text: string;
  readonly line: number;
};

export type Sensitivity = "public" | "unpublished" | "restricted";

/** A parsed note. Dates are `YYYY-MM-DD`. `fields` holds every other front-matter key, flattened to `a.b` and text. */
export type Note = {
  readonly path: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly created: string | undefined;
  readonly modified: string | undefined;
  readonly sensitivity: Sensitivity;
  readonly supersedes: readonly string[];
  readonly supersededBy: string | undefined;
  readonly validUntil: string | undefined;
  /** `search: exclude` in the front matter: read, and kept out of every answer. */
  readonly excluded: boolean;
  readonly fields: readonly (readonly [key: string, value: string])[];
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
  readonly warnings: readonly Warning[];
};

/** Best first. Higher is better. Ids are unique. */
export type Ranking = readonly { readonly id: number; readonly score: number }[];

/** How much of the notes an answer could see. `fresh` is false when something is known to be waiting. */
export type Freshness = {
  readonly fresh: boolean;
  readonly pending: { readonly notes: number; readonly passages: number };
};

/**
 * One answer to a question, as every surface shows it. `id` survives re-indexing. `score` is comparable only within one answer.
 */
export type Hit = {
  readonly id: string;
  readonly vault: string;
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly block: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly snippet: string;
};
