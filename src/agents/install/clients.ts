import { join } from "node:path";
import type { clientFolders } from "../../settings.ts";
import { cursorRule } from "../cursor/rule.ts";
import { isOurServer } from "./command.ts";
import { type Entry, jsonEditor } from "./json-editor.ts";
import { type Extras, hookEntries, manifests } from "./manifests.ts";
import type { Editor } from "./record.ts";
import {
  hooksFile,
  instructions,
  ours,
  server,
  serverEntry,
  serverFile,
  serverName,
  skillFiles,
  stdio,
} from "./targets.ts";
import { rules } from "./texts.ts";
import { tomlEditor } from "./toml-editor.ts";

export type Scope = "project" | "user";

/** Where and how to install: everything that a client's table row depends on. */
export type Site = {
  readonly scope: Scope;
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
  /** Where clients that can be told so keep their users' settings. */
  readonly folders: ReturnType<typeof clientFolders>;
  /** Where the system keeps a program's settings, for clients that use it. */
  readonly settings: string;
  /** What to start: a path, or a name on the PATH. */
  readonly program: string;
} & Extras;

/** A file of a client: one that is shared with others and edited, one that is ours as a whole, or one that is ours no more. */
export type Target =
  | { readonly kind: "edit"; readonly what: string; readonly file: string; readonly editor: Editor }
  | { readonly kind: "whole"; readonly what: string; readonly file: string; readonly text: string }
  | { readonly kind: "former"; readonly what: string; readonly file: string };

export type Client = {
  readonly title: string;
  /** What must be there, below the home or the project, for the client to be in use. */
  readonly traces: readonly string[];
  /** The folder of its settings for the user: with it the client is in use too. */
  folder(site: Site): string;
  readonly program: string;
  /** Since when the client can do what is asked of it; the comment beside it says where that was read. */
  readonly needs: string;
  /** Whether the client has hooks that can be installed. */
  readonly hooks: boolean;
  targets(site: Site): readonly Target[];
};

/** Every client. `install`, `uninstall`, `doctor` and their help follow from this table. */
export const clients = {
  claude: {
    title: "Claude Code",
    traces: [".claude", ".claude.json"],
    folder: ({ folders }) => folders.claude,
    program: "claude",
    // CHANGELOG.md of anthropics/claude-code, 2.1.139: "Added hook `args: string[]` field (exec form)".
    needs: "2.1.139 or later (hooks in exec form)",
    hooks: true,
    targets(site) {
      const base = site.scope === "user" ? site.folders.claude : join(site.project, ".claude");
      const servers = site.scope === "user" ? site.folders.servers : join(site.project, ".mcp.json");
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
    folder: ({ home }) => join(home, ".cursor"),
    program: "cursor",
    // https://www.infoq.com/news/2025/10/cursor-hooks (hooks came with 1.7);
    // https://cursorworkshop.com/research/cursor-2-4-subagents-skills (skills with 2.4).
    needs: "1.7 or later (hooks), 2.4 for skills",
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
    folder: ({ folders }) => folders.codex,
    program: "codex",
    // `codex features list`: hooks are off in 0.123.0 and on in 0.124.0 (openai/codex, pull request 19012).
    // https://developers.openai.com/codex/hooks: hooks must be trusted before they run.
    needs: "0.124 or later (hooks are on by default), and the hooks trusted once in /hooks",
    hooks: true,
    targets(site) {
      const base = site.scope === "user" ? site.folders.codex : join(site.project, ".codex");
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
    folder: ({ home }) => join(home, ".gemini"),
    program: "gemini",
    // google-gemini/gemini-cli, v0.26.0, packages/cli/src/config/settingsSchema.ts: `hooksConfig.enabled` is on by default.
    needs: "0.26 or later (hooks are on by default)",
    hooks: true,
    targets(site) {
      const base = join(site.scope === "user" ? site.home : site.project, ".gemini");
      const entries = [
        ...hookEntries(manifests.gemini, site.program, site),
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
    folder: ({ settings }) => join(settings, "Code", "User"),
    program: "code",
    // Release notes of 1.102: MCP is generally available, and servers are resources of a profile (mcp.json).
    needs: "1.102 or later (MCP servers in mcp.json)",
    hooks: false,
    targets(site) {
      const folder = site.scope === "user" ? this.folder(site) : join(site.project, ".vscode");
      return [serverFile(join(folder, "mcp.json"), "servers", stdio(site.program))];
    },
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as readonly ClientName[];
