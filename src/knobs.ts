import type { Rule } from "./kinds.ts";

/**
 * One knob. Its flag is `--name`, its variable `GESTALT_NAME` unless `env` says otherwise; with `config` a `.gestalt.yml`
 * among the notes may set it, under its name. `accepted` says why setting it has no effect here. A `rare` one is a flag like
 * the others, but stands in no help screen.
 */
export type Knob = Rule & {
  readonly meaning: string;
  readonly fallback: unknown;
  readonly env?: string;
  readonly config?: true;
  readonly accepted?: string;
  readonly rare?: true;
};
type Extra = { readonly env?: string; readonly config?: true };
type Range = readonly [min: number, max: number];

const integer = <const D extends number | undefined>(fallback: D, range: Range, meaning: string, extra: Extra = {}) =>
  ({ kind: "integer", fallback, range, meaning, ...extra }) as const;
const number = <const D extends number | undefined>(fallback: D, range: Range, meaning: string, extra: Extra = {}) =>
  ({ kind: "number", fallback, range, meaning, ...extra }) as const;
const onOff = <const D extends boolean | undefined>(fallback: D, meaning: string, extra: Extra = {}) =>
  ({ kind: "boolean", fallback, meaning, ...extra }) as const;
const text = <const D extends string | undefined>(fallback: D, meaning: string, extra: Extra = {}) =>
  ({ kind: "text", fallback, meaning, ...extra }) as const;
const path = (meaning: string, extra: Extra = {}) =>
  ({ kind: "path", fallback: undefined, meaning, ...extra }) as const;
const paths = (meaning: string) => ({ kind: "list", fallback: [] as readonly string[], meaning }) as const;
const choice = <const O extends readonly string[], const D extends O[number] | undefined>(
  fallback: D,
  options: O,
  meaning: string,
  extra: Extra & { readonly synonyms?: Readonly<Record<string, string>> } = {},
) => ({ kind: "choice", fallback, options, meaning, ...extra }) as const;

/** Known, and without effect until its feature is built: take the wrapper off then, and all else follows. */
const later = <K extends object>(knob: K) => ({ ...knob, accepted: "not built yet" }) as const;
/** For those who measure: `gestalt settings` lists it, help screens do not. */
const rare = <K extends object>(knob: K) => ({ ...knob, rare: true }) as const;
/** A knob of the reference that means nothing here, and why. */
const unused = (accepted: string) => ({ kind: "text", fallback: undefined, meaning: "none here", accepted }) as const;

const unit: Range = [0, 1];
const inNotes = { config: true } as const;
const devices = ["auto", "cpu", "webgpu", "cuda", "coreml", "dml"] as const;
const onnx = "models are ONNX graphs: they run no foreign code and need no torch";
const fleet = "there is one machine and one program: no roles, no interpreter";
const instruction =
  "Given a question about a personal engineering knowledge base, retrieve the note section that answers it";

/**
 * Every knob. A file among the notes may come with a cloned repository, so nothing that names a place outside the notes,
 * opens a model file or starts anything has `config`.
 */
export const knobs = {
  vault: paths("folder of notes, or NAME=FOLDER; repeatable"),
  db: path("the index, as a file"),
  "search-dir": path("the folder that holds the index"),
  mode: choice("auto", ["auto", "lexical", "consensus", "dense", "hybrid"], "how to search", {
    env: "GESTALT_SEARCH_MODE",
    config: true,
    synonyms: { fts: "lexical" },
  }),
  limit: integer(10, [1, 100], "how many hits", inNotes),
  ceiling: rare(
    integer(2000, [200, 20_000], "characters of a section before it is cut into passages", {
      env: "GESTALT_SECTION_CEILING",
      config: true,
    }),
  ),
  overlap: rare(
    integer(150, [0, 1000], "characters a passage repeats of the one before", {
      env: "GESTALT_SECTION_OVERLAP",
      config: true,
    }),
  ),
  stopwords: rare(
    onOff(true, "leave out stop words and repeats of a question", {
      env: "GESTALT_FTS_STOPWORDS",
      config: true,
    }),
  ),
  "sweep-ms": rare(
    integer(400, [0, 60_000], "milliseconds a search may spend on bringing the index up to date", inNotes),
  ),
  wait: integer(30, [0, 86_400], "seconds to wait for another run that writes the index; 0 leaves at once"),
  debug: onOff(false, "show where an unexpected error came from"),

  "embed-profile": text(undefined, "the embedding model: a row of the model table"),
  device: choice("auto", devices, "where the embedding model runs", { env: "GESTALT_EMBED_DEVICE" }),
  "embed-dtype": rare(choice(undefined, ["float32", "float16", "int8", "q4"], "variant of the weights")),
  "embed-normalize": rare(onOff(undefined, "scale vectors to length 1; the model's own way when unset")),
  "embed-dim": rare(integer(undefined, [32, 8192], "a narrower Matryoshka width of the vectors")),
  "model-idle-s": integer(600, [0, 604_800], "seconds without a question before the model is dropped; 0 keeps it"),
  "gpu-duty": number(1, [0.05, 1], "share of the time that the device may be busy with new texts"),
  serve: onOff(true, "let one process of the user's hold the model for all agents and hooks"),

  fusion: rare(
    choice(undefined, ["half", "convex", "rrf", "wrrf", "rescue"], "how words and meaning are merged", inNotes),
  ),
  "fusion-alpha": rare(number(undefined, unit, "share of the words in convex fusion", inNotes)),
  "fusion-w-bm25": rare(number(0.5, unit, "share of the words in weighted rank fusion", inNotes)),
  "fusion-norm": rare(choice(undefined, ["minmax", "zscore", "tmin"], "how scores are scaled first", inNotes)),
  "fusion-missing": rare(choice(undefined, ["zero", "leg_min"], "score of what one side did not find", inNotes)),
  "rescue-rank": rare(integer(3, [0, 100], "rescue: how many hits by words are looked at", inNotes)),
  "rescue-min": rare(number(0.5, unit, "rescue: the lowest scaled score by words", inNotes)),
  "rescue-window": rare(integer(20, [0, 1000], "rescue: hits by meaning that need no rescue", inNotes)),
  "rescue-at": rare(integer(5, [0, 1000], "rescue: where a rescued hit is put, from 0", inNotes)),
  "rescue-max": rare(integer(2, [0, 100], "rescue: how many at most", inNotes)),
  "slug-decay": rare(number(1, unit, "1 keeps the order, 0 puts one section of each note first", inNotes)),

  rerank: choice("auto", ["off", "auto", "on"], "read the best hits again with a cross-encoder"),
  "rerank-model": text(undefined, "the reranker: a row of the model table"),
  "rerank-blend": rare(number(undefined, unit, "share of the first score in the new order", inNotes)),
  "rerank-depth": rare(integer(40, [1, 200], "how many hits are read again", inNotes)),
  "rerank-maxchars": rare(integer(2000, [100, 20_000], "characters of a hit that are read again", inNotes)),
  "rerank-batch": rare(integer(8, [1, 256], "pairs in one run of the reranker")),
  "rerank-ms": rare(integer(10_000, [1, 600_000], "milliseconds the second reading may take")),
  "rerank-device": rare(choice("auto", devices, "where the reranker runs")),
  "rerank-dtype": rare(choice(undefined, ["float32", "float16", "int8", "q4"], "variant of the reranker's weights")),
  "rerank-instruction": rare(text(instruction, "the task line of rerankers that take one", inNotes)),

  abstain: onOff(false, "say when the best hit, read again, is likely no answer", inNotes),
  "abstain-min": number(0.5, [-1e6, 1e6], "the confidence below which that is said", inNotes),
  calib: path("calibration file for the confidence; without one it is the reranker's score"),
  "link-expand": later(onOff(false, "add notes that the best hits link to", inNotes)),
  "link-expand-k": later(integer(3, [1, 100], "how many of the best notes are followed", inNotes)),
  "link-expand-max": later(integer(10, [1, 100], "how many sections are added", inNotes)),
  freshness: onOff(false, "lower superseded and expired notes", inNotes),
  "freshness-factor": rare(number(0.5, unit, "what a superseded note's score is multiplied by", inNotes)),
  "freshness-expired-factor": rare(number(0.25, unit, "what an expired note's score is multiplied by", inNotes)),

  "hook-gate": number(0.98, unit, "share of everyday prompts that hooks stay silent on; 0 opens the gate"),
  "hook-budget": integer(2400, [200, 9500], "characters the prompt hook may put before an agent"),
  "hook-start-budget": integer(1600, [200, 9500], "characters for the start of a session"),
  "hook-query": choice("full", ["full", "last", "idf"], "which part of a prompt the hook searches for"),
  "hook-semantic": choice("auto", ["auto", "on", "off"], "let the prompt hook search by meaning too"),
  "hook-semantic-ms": integer(150, [1, 10_000], "milliseconds the hook gives that search"),
  "hits-log": onOff(true, "write the addresses of what was put before an agent into the log"),
  "hits-log-text": onOff(false, "write the prompts' words into that log too"),
  "state-dir": path("folder of that log and of the state of hooks"),
  "session-records": onOff(true, "keep what a session leaves behind: requests, changed files, decisions, open points"),
  "session-retention-days": integer(30, [1, 3650], "days those records and the log are kept"),
  "audit-log": onOff(false, "write what agents run and edit into a log, secrets masked (install --audit)", inNotes),
  "edit-backup": onOff(false, "keep a copy of a note before an agent edits it (install --audit)", inNotes),
  "edit-check": onOff(false, "tell an agent when a note that it has edited has broken front matter or links", inNotes),
  session: text(undefined, "the agent's session", { env: "CLAUDE_CODE_SESSION_ID" }),

  "bench-dense": later(text("auto", "how the benchmark finds nearest vectors")),
  "bench-cache": path("folder of benchmark data and indexes"),

  "hub-mcp-url": unused("searches are answered on this machine, never passed on"),
  "leaf-local-model": unused(fleet),
  "index-build-role": unused(fleet),
  python: unused(fleet),
  "trust-remote-code": unused(onnx),
  tf32: unused(onnx),
  "attn-impl": unused(onnx),
  "bench-token-budget": unused("one text is embedded at a time"),
  "bench-attn-budget": unused("one text is embedded at a time"),
  "bench-allow-cpu": unused("the processor is always allowed"),
  workspace: unused("hooks know the working folder from the event"),
  "consolidate-interval": unused("nothing is consolidated on its own"),
  "auto-consolidate": unused("nothing is consolidated on its own"),
} satisfies Record<string, Knob>;
