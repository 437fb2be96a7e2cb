import type { Recalled, RecalledSection } from "../../engine/recall.ts";
import type { Settings } from "../../settings.ts";
import type { State } from "../state.ts";

/** The knobs that hooks read, beside those of the notes. */
export const hookKnobs = [
  "hook-budget",
  "hook-start-budget",
  "hook-query",
  "hits-log",
  "hits-log-text",
  "session-records",
  "session-retention-days",
  "edit-check",
] as const;

/** Who answers for the notes: an engine in this process, or the warm one. Undefined where there is no index to ask. */
export type Notes = {
  recall(prompt: string, limit: number): Promise<Recalled | undefined>;
  /** Takes in the changes on disk; false when something must be prepared first. For moments at which nobody waits. */
  catchUp(): Promise<boolean>;
  /** The sections that say of themselves that they are about a file: by a `paths:` glob, or by a link to it. */
  about(file: string, project: string): Promise<readonly RecalledSection[]>;
  /** The text of sections by their addresses; what is gone is left out. */
  texts(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What is wrong with a note that was just written; nothing for a file that is no note. */
  check(file: string): Promise<readonly string[]>;
  /** Has what is missing made in the background. */
  prepare(): void;
};

/** All that a hook works with. */
export type HookContext = {
  readonly state: State;
  readonly settings: Settings<(typeof hookKnobs)[number]>;
  readonly notes: Notes;
  readonly now: Date;
};
