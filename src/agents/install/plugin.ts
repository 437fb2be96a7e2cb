import { copyFileSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifests, startedAs } from "./manifests.ts";
import { skills } from "./texts.ts";

export type PluginOptions = {
  /** The folder to write; what was there before goes. */
  readonly folder: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** The executable to copy into the plugin; without it the plugin starts the `gestalt` of the PATH. */
  readonly executable?: string;
};

/**
 * Writes the Claude Code plugin, which is its own marketplace besides: manifest, hooks, server, skills, executable.
 *
 * `hooks/hooks.json` and `.mcp.json` are found where they are. Named in the manifest too, the hooks count as loaded twice, and
 * Claude Code refuses the plugin ("Duplicate hooks file detected").
 *
 * @see https://code.claude.com/docs/en/plugins-reference, and the plugins in the repository anthropics/claude-code
 */
export function writePlugin({ folder, version, description, license, executable }: PluginOptions): void {
  const suffix = executable?.endsWith(".exe") ? ".exe" : "";
  const program = executable === undefined ? "gestalt" : `\${CLAUDE_PLUGIN_ROOT}/bin/gestalt${suffix}`;
  const author = { name: "gestalt" };
  const files: Readonly<Record<string, unknown>> = {
    ".claude-plugin/plugin.json": {
      name: "gestalt",
      displayName: "Gestalt",
      version,
      description,
      author,
      license,
      keywords: ["notes", "memory", "search"],
    },
    ".claude-plugin/marketplace.json": {
      name: "gestalt",
      description,
      owner: author,
      plugins: [{ name: "gestalt", source: "./", description, category: "memory" }],
    },
    "hooks/hooks.json": {
      description: manifests.claude.description,
      hooks: startedAs(manifests.claude.hooks, program),
    },
    ".mcp.json": { mcpServers: { gestalt: { type: "stdio", command: program, args: ["mcp"] } } },
  };
  rmSync(folder, { recursive: true, force: true });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, value] of Object.entries(files)) put(path, `${JSON.stringify(value, null, 2)}\n`);
  for (const [name, text] of Object.entries(skills)) put(`skills/${name}/SKILL.md`, text);
  if (executable === undefined) return;
  mkdirSync(join(folder, "bin"), { recursive: true });
  const copy = join(folder, "bin", `gestalt${suffix}`);
  try {
    // A second name for the same bytes, where the disk can have one.
    linkSync(executable, copy);
  } catch {
    copyFileSync(executable, copy);
  }
}
