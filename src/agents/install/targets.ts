import { join } from "node:path";
import type { Site, Target } from "./clients.ts";
import { isOurHook, isOurServer } from "./command.ts";
import { type Entry, jsonEditor, type Ours } from "./json-editor.ts";
import { hookEntries, type Manifest } from "./manifests.ts";
import { markdownEditor } from "./markdown-editor.ts";
import { samePath } from "./record.ts";
import { bodyOf, rules, skills } from "./texts.ts";

/** The name under which every client knows our server. */
export const serverName = "gestalt";
/** What starts the server. */
export const server = (program: string) => ({ command: program, args: ["mcp"] });
export const stdio = (program: string) => ({ type: "stdio", ...server(program) });
export const serverEntry = (key: string, value: unknown): Entry => ({ kind: "member", path: [key, serverName], value });

/** Whether an entry is ours: a hook that starts gestalt, or our server under one of the keys. */
export const ours = (...serverKeys: readonly string[]): Ours => {
  const places = serverKeys.map((key) => [key, serverName]);
  return (path, value) =>
    path[0] === "hooks" ? isOurHook(value()) : places.some((place) => samePath(place, path)) && isOurServer(value());
};

export const hooksFile = (file: string, manifest: Manifest, site: Site, needed: readonly Entry[] = []): Target => ({
  kind: "edit",
  what: "hooks",
  file,
  editor: jsonEditor([...needed, ...hookEntries(manifest, site.program, site)], ours()),
});
export const serverFile = (file: string, key: string, value: unknown): Target => ({
  kind: "edit",
  what: "server",
  file,
  editor: jsonEditor([serverEntry(key, value)], ours(key)),
});
export const skillFiles = (folder: string): readonly Target[] =>
  Object.entries(skills).map(([name, text]) => ({
    kind: "whole",
    what: "skill",
    file: join(folder, name, "SKILL.md"),
    text,
  }));
export const instructions = (file: string): Target => ({
  kind: "edit",
  what: "rule",
  file,
  editor: markdownEditor(bodyOf(rules["gestalt"] ?? "").replace(/^# /, "## ")),
});
