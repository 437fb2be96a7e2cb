import { rmSync } from "node:fs";
import { join } from "node:path";
import { objectIn, textOf } from "./hooks/input.ts";
import type { SessionRecord } from "./record.ts";
import { fileNameOf, namesIn, readIfThere, recordsFolder, type State, writeWhole } from "./state.ts";

const fileOf = (state: State, session: string): string => join(recordsFolder(state), `${fileNameOf(session)}.json`);

/** Keeps a session's record in place of the one before. */
export const keepRecord = (state: State, record: SessionRecord): void =>
  writeWhole(fileOf(state, record.session), `${JSON.stringify(record)}\n`);

export const forgetRecord = (state: State, session: string): void => rmSync(fileOf(state, session), { force: true });

/** The records of a project's sessions, or of all, newest first. One that cannot be read is left out. */
export const recordsOf = (state: State, project?: string): readonly SessionRecord[] =>
  namesIn(recordsFolder(state))
    .flatMap((name) => recordIn(readIfThere(join(recordsFolder(state), name))) ?? [])
    .filter((record) => project === undefined || record.project === project)
    .sort((a, b) => (a.at < b.at ? 1 : -1));

function recordIn(text: string | undefined): SessionRecord | undefined {
  const fields = text === undefined ? undefined : objectIn(text);
  const [session, project, at] = ["session", "project", "at"].map((key) => textOf(fields?.[key]));
  if (fields === undefined || session === undefined || project === undefined || at === undefined) return undefined;
  const list = (key: string) => {
    const value = fields[key];
    return Array.isArray(value) ? value.flatMap((text) => textOf(text) ?? []) : [];
  };
  return {
    session,
    project,
    branch: textOf(fields["branch"]),
    at,
    asked: list("asked"),
    changed: list("changed"),
    decided: list("decided"),
    open: list("open"),
  };
}
