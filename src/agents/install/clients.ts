import { join } from "node:path";
import { cursorRule } from "../cursor/rule.ts";
import { isOurHook, isOurServer } from "./command.ts";
import { type Entry, jsonEditor, type Ours } from "./json-editor.ts";
import { hookEntries, type Manifest, manifests } from "./manifests.ts";
import { markdownEditor } from "./markdown-editor.ts";
import { type Editor, samePath } from "./record.ts";
import { bodyOf, rules, skills } from "./texts.ts";
import { tomlEditor } from "./toml-editor.ts";

export type Scope = "project" | "user";

/** Where and how to install: everything that a client's table row depends on. */
export type Site = {
  readonly scope: Scope;
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
  /** Where the system keeps a program's settings, for clients that use it. */
  readonly settings: string;
  /** What to start: a path, or a name on the PATH. */
  readonly program: string;
  readonly guard: boolean;
};

/** A file of a client: one that is shared with others and edited, one that is ours as a whole, or one that is ours no more. */
export type Target =
  | { readonly kind: "edit"; readonly what: string; readonly file: string; readonly editor: Editor }
  | { readonly kind: "whole"; readonly what: string; readonly file: string; readonly text: string }
  | { readonly kind: "former"; readonly what: string; readonly file: string };

export type Client = {
  readonly title: string;
  /** What must be there, below the home or the project, for the client to be in use. */
  readonly traces: readonly string[];
  readonly program: string;
  /** What the client must be able to do, and since which version it can. */
  readonly needs: string;
  /** Whether the client has hooks that can be installed. */
  readonly hooks: boolean;
  targets(site: Site): readonly Target[];
};

const serverName = "gestalt";
const server = (program: string) => ({ command: program, args: ["mcp"] });
const stdio = (program: string) => ({ type: "stdio", ...server(program) });
const serverEntry = (key: string, value: unknown): Entry => ({ kind: "member", path: [key, serverName], value });

const ours = (...serverKeys: readonly string[]): Ours => {
  const places = serverKeys.map((key) => [key, serverName]);
  return (path, value) =>
    path[0] === "hooks" ? isOurHook(value()) : places.some((place) => samePath(place, path)) && isOurServer(value());
};

const hooksFile = (
  file: string,
  manifest: Manifest,
  { program, guard }: Site,
  needed: readonly Entry[] = [],
): Target => ({
  kind: "edit",
  what: "hooks",
  file,
  editor: jsonEditor([...needed, ...hookEntries(manifest, program, guard)], ours()),
});
const serverFile = (file: string, key: string, value: unknown): Target => ({
  kind: "edit",
  what: "server",
  file,
  editor: jsonEditor([serverEntry(key, value)], ours(key)),
});
const skillFiles = (folder: string): readonly Target[] =>
  Object.entries(skills).map(([name, text]) => ({
    kind: "whole",
    what: "skill",
    file: join(folder, name, "SKILL.md"),
    text,
  }));
const instructions = (file: string): Target => ({
  kind: "edit",
  what: "rule",
  file,
  editor: markdownEditor(bodyOf(rules["gestalt"] ?? "").replace(/^# /, "## ")),
});

/** Every client. `install`, `uninstall`, `doctor` and their help follow from this table. */
export const clients = {
  claude: {
    title: "Claude Code",
    traces: [".claude", ".claude.json"],
    program: "claude",
    needs: "2.1.139 (hooks in exec form)",
    hooks: true,
    targets(site) {
      const base = join(site.scope === "user" ? site.home : site.project, ".claude");
      const servers = site.scope === "user" ? join(site.home, ".claude.json") : join(site.project, ".mcp.json");
      return [
        hooksFile(join(base, "settings.json"), manifests.claude, site),
        serverFile(servers, "mcpServers", stdio(site.program)),
        ...Object.entries(rules).map(
          ([name, text]): Target => ({ kind: "whole", what: "rule", file: join(base, "rules", `${name}.md`), text }),
        ),
        ...skillFiles(join(base, "skills")),
      ];
    },
  },
  cursor: {
    title: "Cursor",
    traces: [".cursor"],
    program: "cursor",
    needs: "1.7 (hooks), 2.4 (skills)",
    hooks: true,
    targets(site) {
      const base = join(site.scope === "user" ? site.home : site.project, ".cursor");
      const version: Entry = { kind: "needed", path: ["version"], value: 1 };
      // A user's rules are kept by Cursor itself, not in a file.
      const ruleFiles = site.scope === "user" ? [] : Object.entries(rules);
      return [
        hooksFile(join(base, "hooks.json"), manifests.cursor, site, [version]),
        serverFile(join(base, "mcp.json"), "mcpServers", server(site.program)),
        ...ruleFiles.map(
          ([name, text]): Target => ({
            kind: "whole",
            what: "rule",
            file: join(base, "rules", `${name}.mdc`),
            text: cursorRule(name, text),
          }),
        ),
        ...skillFiles(join(base, "skills")),
      ];
    },
  },
  codex: {
    title: "Codex",
    traces: [".codex"],
    program: "codex",
    needs: "a version with hooks.json; trust the hooks once in /hooks",
    hooks: true,
    targets(site) {
      const base = join(site.scope === "user" ? site.home : site.project, ".codex");
      const body = `command = ${JSON.stringify(site.program)}\nargs = ["mcp"]\n`;
      return [
        {
          kind: "edit",
          what: "server",
          file: join(base, "config.toml"),
          editor: tomlEditor(["mcp_servers", serverName], body, isOurServer),
        },
        hooksFile(join(base, "hooks.json"), manifests.codex, site),
        instructions(site.scope === "user" ? join(base, "AGENTS.md") : join(site.project, "AGENTS.md")),
        ...skillFiles(join(site.scope === "user" ? site.home : site.project, ".agents", "skills")),
      ];
    },
  },
  gemini: {
    title: "Gemini CLI",
    traces: [".gemini"],
    program: "gemini",
    needs: "0.26 (hooks)",
    hooks: true,
    targets(site) {
      const base = join(site.scope === "user" ? site.home : site.project, ".gemini");
      const entries = [
        ...hookEntries(manifests.gemini, site.program, site.guard),
        serverEntry("mcpServers", server(site.program)),
      ];
      return [
        {
          kind: "edit",
          what: "hooks and server",
          file: join(base, "settings.json"),
          editor: jsonEditor(entries, ours("mcpServers")),
        },
        instructions(site.scope === "user" ? join(base, "GEMINI.md") : join(site.project, "GEMINI.md")),
      ];
    },
  },
  vscode: {
    title: "VS Code",
    traces: [".vscode"],
    program: "code",
    needs: "1.102 (MCP servers in mcp.json)",
    hooks: false,
    targets(site) {
      const folder = site.scope === "user" ? join(site.settings, "Code", "User") : join(site.project, ".vscode");
      return [serverFile(join(folder, "mcp.json"), "servers", stdio(site.program))];
    },
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as readonly ClientName[];
