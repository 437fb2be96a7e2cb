import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { apply } from "../../../src/agents/install/apply.ts";
import { type ClientName, clientNames, clients, type Site } from "../../../src/agents/install/clients.ts";
import { isOurHook, ownProgram, shellLine } from "../../../src/agents/install/command.ts";
import { deeds, diffs, explanation } from "../../../src/agents/install/explain.ts";
import { eventsOf, manifests } from "../../../src/agents/install/manifests.ts";
import { planInstall, planUninstall } from "../../../src/agents/install/plan.ts";
import { writePlugin } from "../../../src/agents/install/plugin.ts";
import { doubles, inUse } from "../../../src/agents/install/survey.ts";
import { clientFolders } from "../../../src/settings.ts";
import { jsonText, markdownText } from "./arbitrary.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gestalt-install-"));
  for (const name of ["home", "project", "state"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const state = () => join(root, "state");
const site = (changes: Partial<Site> = {}): Site => ({
  scope: "project",
  project: join(root, "project"),
  home: join(root, "home"),
  folders: clientFolders({ HOME: join(root, "home") }),
  settings: join(root, "home", ".config"),
  program: "/opt/gestalt",
  guard: false,
  audit: false,
  ...changes,
});
const put = (path: string, text: string): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const install = (client: ClientName, at = site()) => {
  const plan = planInstall(client, at, state());
  apply(plan, state());
  return plan;
};
const uninstall = (client: ClientName, at = site()) => {
  const plan = planUninstall(client, at, state());
  apply(plan, state());
  return plan;
};
/** Every file and folder with its bytes and mode. */
const snapshot = (...folders: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => {
          const path = join(root, folder, name);
          const stat = lstatSync(path);
          return [path, `${stat.mode} ${stat.isFile() ? readFileSync(path, "latin1") : ""}`] as const;
        }),
    ),
  );

describe.each(clientNames)("%s", (client) => {
  test.each(["project", "user"] as const)("is set up in empty settings (%s) and taken out without a trace", (scope) => {
    const before = snapshot("home", "project");
    const plan = install(client, site({ scope }));
    expect(plan.problems).toEqual([]);
    expect(snapshot("home", "project").size).toBeGreaterThan(before.size);
    uninstall(client, site({ scope }));
    expect(
      snapshot("home", "project", "state")
        .keys()
        .filter((path) => !/state|\/install/.test(path))
        .toArray(),
    ).toEqual([]);
    expect(snapshot("home", "project")).toEqual(before);
  });

  test("twice is once, also with and then without the guard and the audit", () => {
    install(client, site({ guard: true, audit: true }));
    const once = snapshot("home", "project", "state");
    const again = install(client);
    expect(again.changes).toEqual([]);
    expect(snapshot("home", "project", "state")).toEqual(once);
  });

  test("leaves other people's settings as they were, byte for byte", () => {
    const edited = clients[client]
      .targets(site())
      .filter(({ kind, file }) => kind === "edit" && !file.endsWith(".toml"));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(jsonText, fc.constant(undefined)), { minLength: 2, maxLength: 2 }),
        markdownText,
        (texts, prose) => {
          for (const name of ["project", "state"]) rmSync(join(root, name), { recursive: true, force: true });
          for (const name of ["project", "state"]) mkdirSync(join(root, name));
          for (const [i, { file }] of edited.entries()) {
            const text = file.endsWith(".md") ? prose : texts[i % 2];
            if (text !== undefined) put(file.slice(root.length + 1), text);
          }
          const before = snapshot("project");
          install(client, site({ guard: true }));
          install(client, site({ program: "/elsewhere/gestalt" }));
          uninstall(client);
          expect(snapshot("project")).toEqual(before);
        },
      ),
      { numRuns: 6 },
    );
  }, 30_000);
});

describe("a file that somebody edited in between", () => {
  test("loses exactly our entries", () => {
    const file = put("project/.claude/settings.json", '{\n  // mine\n  "model": "x",\n}\n');
    install("claude");
    writeFileSync(file, readFileSync(file, "utf8").replace('"x"', '"y"'));
    uninstall("claude");
    expect(readFileSync(file, "utf8")).toBe('{\n  // mine\n  "model": "y",\n}\n');
  });

  test("that is a skill of ours stays, and is said", () => {
    install("claude");
    const skill = join(root, "project/.claude/skills/save/SKILL.md");
    writeFileSync(skill, "my own");
    expect(install("claude").kept).toEqual([{ file: skill, why: "it was edited" }]);
    expect(uninstall("claude").kept).toEqual([{ file: skill, why: "it was edited" }]);
    expect(readFileSync(skill, "utf8")).toBe("my own");
  });

  test("between the plan and the writing is left as it is, and so are those after it", () => {
    const file = put("project/.mcp.json", "{}");
    const plan = planInstall("claude", site(), state());
    writeFileSync(file, '{"a": 1}');
    expect(() => apply(plan, state())).toThrow("changed while you were looking");
    expect(readFileSync(file, "utf8")).toBe('{"a": 1}');
    uninstall("claude");
    expect([...snapshot("project").keys()]).toEqual([file]);
  });
});

describe("settings that are elsewhere, by CLAUDE_CONFIG_DIR and CODEX_HOME", () => {
  const elsewhere = (changes: Partial<Site> = {}) =>
    site({
      scope: "user",
      folders: clientFolders({
        HOME: join(root, "home"),
        CLAUDE_CONFIG_DIR: join(root, "home/.config/claude"),
        CODEX_HOME: join(root, "home/.config/codex"),
      }),
      ...changes,
    });

  test("are written there, and taken out without a trace", () => {
    const file = put("home/.config/claude/settings.json", '{ "model": "x" }\n');
    const before = snapshot("home");
    install("claude", elsewhere());
    install("codex", elsewhere());
    const written = [...snapshot("home").keys()].map((path) => path.slice(root.length + 1));
    for (const path of [".config/claude/.claude.json", ".config/claude/rules/gestalt.md", ".config/codex/config.toml"])
      expect(written).toContain(`home/${path}`);
    expect(written.filter((path) => /^home\/\.(claude|codex)/.test(path))).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("session-start");
    uninstall("claude", elsewhere());
    uninstall("codex", elsewhere());
    expect(snapshot("home")).toEqual(before);
  });

  test("are an installation of their own beside the usual ones", () => {
    install("claude", site({ scope: "user" }));
    const usual = snapshot("home");
    install("claude", elsewhere());
    uninstall("claude", elsewhere());
    expect(snapshot("home")).toEqual(usual);
    expect(uninstall("claude", site({ scope: "user" })).problems).toEqual([]);
    expect(snapshot("home").size).toBe(0);
  });

  test("tell that a client is in use, and which plugins are enabled", () => {
    expect(inUse(elsewhere(), () => null)).toEqual([]);
    put("home/.config/codex/config.toml", "");
    put("home/.config/claude/settings.json", '{"enabledPlugins": {"gestalt@market": true}}');
    expect(inUse(elsewhere(), () => null)).toEqual(["claude", "codex"]);
    expect(doubles("claude", elsewhere(), state())).toEqual([expect.stringContaining("plugin is enabled")]);
  });
});

describe("a settings file that is not plain", () => {
  test("a link is followed, and stays a link", () => {
    const real = put("project/dotfiles/claude.json", '{ "a": 1 }');
    mkdirSync(join(root, "project/.claude"));
    symlinkSync(real, join(root, "project/.claude/settings.json"));
    const plan = install("claude");
    expect(diffs(plan)[0]).toContain(`a link to ${real}`);
    expect(lstatSync(join(root, "project/.claude/settings.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("session-start");
    uninstall("claude");
    expect(readFileSync(real, "utf8")).toBe('{ "a": 1 }');
  });

  test("a link that leads out of a project is refused; in the user's settings it is followed", () => {
    const outside = put("home/bashrc", "{}");
    mkdirSync(join(root, "project/.claude"));
    symlinkSync(outside, join(root, "project/.claude/settings.json"));
    const [problem] = planInstall("claude", site(), state()).problems;
    expect(problem?.why).toContain("leads out of");
    mkdirSync(join(root, "home/.claude"));
    symlinkSync(outside, join(root, "home/.claude/settings.json"));
    expect(planInstall("claude", site({ scope: "user" }), state()).problems).toEqual([]);
  });

  test("a folder that leads out of a project is refused too", () => {
    symlinkSync(join(root, "home"), join(root, "project/.cursor"));
    expect(planInstall("cursor", site(), state()).changes).toEqual([]);
  });

  test("a second name for the same bytes sees them change", () => {
    const file = put("project/.mcp.json", "{}");
    linkSync(file, join(root, "project/second"));
    install("claude");
    expect(readFileSync(join(root, "project/second"), "utf8")).toContain("gestalt");
  });

  test("its mode is kept", () => {
    const file = put("project/.mcp.json", "{}");
    chmodSync(file, 0o600);
    install("claude");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["read-only", (file: string) => chmodSync(file, 0o444), "is read-only"],
    ["not JSON", (file: string) => writeFileSync(file, '{"a": }'), "line 1 is not JSON"],
    ["not UTF-8", (file: string) => writeFileSync(file, new Uint8Array([0x7b, 0xff, 0x7d])), "is not UTF-8 text"],
    [
      "a folder",
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
      "is not a file",
    ],
    [
      "a link to nothing",
      (file: string) => {
        rmSync(file);
        symlinkSync("nowhere", file);
      },
      "is a link that leads nowhere",
    ],
  ])("%s: left alone and said, the other files are written", (_, spoil, why) => {
    const file = put("project/.mcp.json", "{}");
    spoil(file);
    const before = lstatSync(file).isFile() ? readFileSync(file) : undefined;
    const plan = install("claude");
    expect(plan.problems.map((problem) => [problem.file, problem.why])).toEqual([[file, why]]);
    if (before !== undefined) expect(readFileSync(file)).toEqual(before);
    expect(existsSync(join(root, "project/.claude/settings.json"))).toBe(true);
    chmodSync(join(root, "project"), 0o755);
  });

  test("a byte order mark stays", () => {
    const file = put("project/.mcp.json", '\ufeff{\r\n\t"a": 1\r\n}');
    install("claude");
    const text = readFileSync(file, "utf8");
    expect(text.startsWith('\ufeff{\r\n\t"a": 1,\r\n\t"mcpServers": {')).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    uninstall("claude");
    expect(readFileSync(file, "utf8")).toBe('\ufeff{\r\n\t"a": 1\r\n}');
  });

  test("copies of settings are for the user alone", () => {
    put("project/.mcp.json", '{"secret": 1}');
    install("claude");
    const backups = join(state(), "install/backups");
    expect(statSync(backups).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(backups)) expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600);
  });
});

describe("without its receipt", () => {
  test("an installation is taken out by what its entries start", () => {
    put("project/.mcp.json", '{"mcpServers": {"other": {"command": "x"}}}\n');
    install("claude", site({ program: "/a b/gestalt-linux-x64" }));
    rmSync(state(), { recursive: true });
    uninstall("claude");
    expect(readFileSync(join(root, "project/.mcp.json"), "utf8")).toBe('{"mcpServers": {"other": {"command": "x"}}}\n');
    expect(existsSync(join(root, "project/.claude/skills/save/SKILL.md"))).toBe(false);
  });

  test("a broken receipt is as good as none", () => {
    install("claude");
    for (const name of readdirSync(join(state(), "install")))
      if (name.endsWith(".json")) writeFileSync(join(state(), "install", name), "{]");
    expect(uninstall("claude").problems).toEqual([]);
  });
});

test("clients in use are found by their folders or programs", () => {
  mkdirSync(join(root, "home/.gemini"));
  mkdirSync(join(root, "project/.vscode"));
  expect(inUse(site(), (name) => (name === "codex" ? "/bin/codex" : null))).toEqual(["codex", "gemini", "vscode"]);
});

test("what would make hooks run twice is said", () => {
  expect(doubles("claude", site(), state())).toEqual([]);
  put("home/.claude/settings.json", '{"enabledPlugins": {"gestalt@market": true, "other@x": true}}');
  expect(doubles("claude", site(), state())).toEqual([expect.stringContaining("plugin is enabled")]);
  install("claude", site({ scope: "user" }));
  expect(doubles("claude", site(), state())).toHaveLength(2);
  expect(doubles("cursor", site({ scope: "user" }), state())).toEqual([expect.stringContaining("third-party hooks")]);
});

describe("a hook's command", () => {
  test.each([
    [{ command: "gestalt", args: ["hook", "prompt"] }, true],
    [{ command: "/a/b c/gestalt", args: ["hook", "prompt"] }, true],
    [{ command: "C:\\Programs\\gestalt.exe", args: ["hook", "prompt"] }, true],
    [{ command: "'/a b/gestalt' hook stop" }, true],
    [{ command: '"C:\\x y\\gestalt.exe" hook stop' }, true],
    [{ command: "gestalt hook session-start" }, true],
    [{ command: "gestalt", args: ["status"] }, false],
    [{ command: "my-gestalt hook prompt" }, false],
    [{ command: "gestalt hook prompt && rm x" }, false],
    [{ command: "echo gestalt hook prompt" }, false],
    [{ command: 7 }, false],
    ["gestalt hook prompt", false],
    [null, false],
  ])("%j is ours: %p", (value, ours) => expect(isOurHook(value)).toBe(ours));

  test.each([
    ["/opt/gestalt", "linux", "/opt/gestalt hook stop"],
    ["/o p/it's/gestalt", "linux", "'/o p/it'\\''s/gestalt' hook stop"],
    ["C:\\x y\\gestalt.exe", "win32", '"C:\\x y\\gestalt.exe" hook stop'],
  ] as const)("of %s is one word of a shell, and known again", (program, platform, line) => {
    expect(shellLine(program, ["hook", "stop"], platform)).toBe(line);
    expect(isOurHook({ command: line })).toBe(true);
  });

  test("is the bare name when that leads to this executable, else its path", () => {
    const own = put("bin/gestalt", "");
    const link = join(root, "link");
    symlinkSync(own, link);
    expect(ownProgram(own, () => link)).toBe("gestalt");
    expect(ownProgram(own, () => put("other/gestalt", ""))).toBe(own);
    expect(ownProgram(link, () => null)).toBe(own);
    expect(ownProgram("/usr/bin/bun", () => null)).toBe("gestalt");
  });
});

test("every event of every manifest is explained before it is installed, on one screen", () => {
  for (const manifest of Object.values(manifests))
    for (const event of eventsOf(manifest, { guard: true, audit: true })) expect(deeds).toHaveProperty(event);
  for (const client of clientNames) {
    const lines = explanation(planInstall(client, site({ guard: true, audit: true }), state()));
    expect(lines.length).toBeLessThan(26);
    for (const line of lines) expect(line.length).toBeLessThan(140);
  }
});

test("the plugin holds the same hooks, server and skills, and its program", () => {
  const executable = put("built", "#!/bin/sh\n");
  const folder = join(root, "plugin");
  const options = { folder, version: "1.2.3", description: "d", license: "Apache-2.0", executable };
  writePlugin(options);
  writePlugin(options);
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));
  const manifest = read(".claude-plugin/plugin.json");
  expect(manifest).toMatchObject({ name: "gestalt", version: "1.2.3" });
  // Named in the manifest, files that are found anyway count as loaded twice, and the plugin is refused.
  for (const key of ["hooks", "mcpServers", "skills"]) expect(manifest).not.toHaveProperty(key);
  expect(read(".claude-plugin/marketplace.json").plugins[0].source).toBe("./");
  const { hooks } = read("hooks/hooks.json");
  expect(Object.keys(hooks)).toEqual(Object.keys(manifests.claude.hooks));
  expect(hooks.Stop[0].hooks[0]).toMatchObject({
    command: `\${CLAUDE_PLUGIN_ROOT}/bin/gestalt`,
    args: ["hook", "stop"],
  });
  expect(read(".mcp.json").mcpServers.gestalt.args).toEqual(["mcp"]);
  expect(existsSync(join(folder, "skills/search-notes/SKILL.md"))).toBe(true);
  expect(readFileSync(join(folder, "bin/gestalt"), "utf8")).toBe("#!/bin/sh\n");
});
