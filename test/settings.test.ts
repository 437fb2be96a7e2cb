import { describe, expect, test } from "bun:test";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { GestaltError } from "../src/errors.ts";
import { allowed, example, readValue, shown } from "../src/kinds.ts";
import { knobs } from "../src/knobs.ts";
import {
  allKnobs,
  cacheDir,
  clientFolders,
  configDir,
  configNotices,
  expandHome,
  idleVariables,
  liveKnobs,
  resolveKnob,
  resolveSettings,
  unknownVariables,
  variableOf,
  wantsColour,
} from "../src/settings.ts";

const file = (keys: Record<string, unknown>) => ({ file: "/notes/.gestalt.yml", keys });
const errorOf = (run: () => unknown): GestaltError => {
  try {
    run();
  } catch (error) {
    if (error instanceof GestaltError) return error;
    throw error;
  }
  throw new Error("it did not stop");
};

describe("where a value comes from", () => {
  const flags = { limit: ["3"] };
  const env = { GESTALT_LIMIT: "4" };
  const config = file({ limit: 5 });

  test("a flag wins over a variable, a variable over a file, a file over the default", () => {
    const limit = (sources: Parameters<typeof resolveSettings>[0]) => {
      const { values, origins } = resolveSettings(sources, ["limit"]);
      return [values.limit, origins.limit];
    };
    expect(limit({ flags, env, config })).toEqual([3, "flag"]);
    expect(limit({ env, config })).toEqual([4, "variable"]);
    expect(limit({ env: {}, config })).toEqual([5, "file"]);
    expect(limit({ env: {} })).toEqual([10, "default"]);
  });

  test("an empty variable and an empty key count as unset", () => {
    const { values, origins } = resolveSettings({ env: { GESTALT_LIMIT: " " }, config: file({ limit: null }) }, [
      "limit",
    ]);
    expect([values.limit, origins.limit]).toEqual([10, "default"]);
  });

  test("the last of a repeated flag counts, and all of a repeatable one", () => {
    const { values } = resolveSettings({ flags: { limit: ["3", "7"], vault: ["a", "n=b"] }, env: {} }, [
      "limit",
      "vault",
    ]);
    expect(values).toEqual({ limit: 7, vault: ["a", "n=b"] });
  });

  test("GESTALT_VAULT is a list, parted as the system parts PATH", () => {
    const env = { GESTALT_VAULT: ["/a", "work=/b", ""].join(delimiter) };
    expect(resolveSettings({ env }, ["vault"]).values.vault).toEqual(["/a", "work=/b"]);
    expect(resolveSettings({ env: { GESTALT_VAULT: delimiter } }, ["vault"]).origins.vault).toBe("default");
  });

  test("a path may begin with the home folder's sign", () => {
    const { values } = resolveSettings({ env: { ...process.env, GESTALT_DB: "~/x.db" } }, ["db"]);
    expect(values.db).toBe(expandHome("~/x.db"));
    expect(values.db).not.toContain("~");
  });

  test("the reference's name for a mode still works", () => {
    expect(resolveSettings({ env: { GESTALT_SEARCH_MODE: "FTS" } }, ["mode"]).values.mode).toBe("lexical");
  });
});

describe("a bad value", () => {
  test("in a flag is named with its place, what is allowed, and the three ways to set it", () => {
    const { code, message, hint } = errorOf(() => resolveSettings({ flags: { limit: ["many"] }, env: {} }, ["limit"]));
    expect(code).toBe("usage");
    expect(message).toBe('--limit is "many", not a whole number from 1 to 100');
    expect(hint).toBe('--limit 10, or GESTALT_LIMIT=10, or "limit: 10" in .gestalt.yml');
  });

  test("in a variable and in a file is named with its place", () => {
    const inVariable = errorOf(() => resolveSettings({ env: { GESTALT_SEARCH_MODE: "fuzzy" } }, ["mode"]));
    expect(inVariable.message).toBe(
      'GESTALT_SEARCH_MODE is "fuzzy", not one of auto, lexical, consensus, dense, hybrid',
    );
    const inFile = errorOf(() => resolveSettings({ env: {}, config: file({ limit: [5] }) }, ["limit"]));
    expect(inFile.message).toBe('limit in /notes/.gestalt.yml is "[5]", not a whole number from 1 to 100');
  });

  test("of a knob that was not asked for stops nothing", () => {
    expect(resolveSettings({ env: { GESTALT_LIMIT: "many" } }, ["overlap"]).values.overlap).toBe(150);
  });
});

describe("a file among the notes", () => {
  // A cloned repository brings its own file: nothing it says may read outside the notes or start anything.
  test("may not say where the index is, which model file is read, or how a device is used", () => {
    const outside = [
      "db",
      "search-dir",
      "calib",
      "state-dir",
      "bench-cache",
      "embed-profile",
      "rerank-model",
      "device",
    ];
    for (const name of outside) {
      const knob = allKnobs.find(([other]) => other === name)![1];
      expect([name, knob.config]).toEqual([name, undefined]);
      const config = file({ [name]: "/etc/passwd" });
      expect(resolveKnob(name, knob, { env: {}, config }).origin).toBe("default");
      expect(configNotices(config)).toEqual([expect.stringContaining(`"${name}" may not be set among the notes`)]);
    }
  });

  test("is told of a mistyped key, with the nearest one", () => {
    expect(configNotices(file({ limt: 5, limit: 5, zzzzzzzz: 1 }))).toEqual([
      '/notes/.gestalt.yml: unknown key "limt"; is "limit" meant?',
      '/notes/.gestalt.yml: unknown key "zzzzzzzz"',
    ]);
  });

  test("with keys that every object has names nothing of ours", () => {
    const config = file(
      Object.fromEntries([
        ["__proto__", 1],
        ["constructor", 2],
      ]),
    );
    expect(configNotices(config).length).toBe(2);
    expect(resolveSettings({ env: {}, config }).values.limit).toBe(10);
  });
});

describe("the table", () => {
  test.each(allKnobs)("%s: its default is allowed, and so is the value that errors show", (_, knob) => {
    expect(readValue(knob, example(knob))).toBeDefined();
    expect(allowed(knob)).not.toBe("");
    if (knob.fallback === undefined || knob.kind === "list") return;
    const back = readValue(knob, shown(knob.fallback));
    expect(back).toEqual(knob.fallback as string);
  });

  test("has no variable twice", () => {
    const variables = allKnobs.map(([name, knob]) => variableOf(name, knob));
    expect(new Set(variables).size).toBe(variables.length);
  });

  test("knows every variable that a user of the reference may have set", () => {
    const documented = `SEARCH_MODE SEARCH_DIR HUB_MCP_URL LEAF_LOCAL_MODEL INDEX_BUILD_ROLE PYTHON MODEL_IDLE_S EMBED_PROFILE
      EMBED_DEVICE EMBED_DTYPE EMBED_NORMALIZE EMBED_DIM TRUST_REMOTE_CODE TF32 ATTN_IMPL RERANK RERANK_MODEL RERANK_BLEND
      RERANK_DEPTH RERANK_MAXCHARS RERANK_BATCH RERANK_DEVICE RERANK_DTYPE RERANK_INSTRUCTION GPU_DUTY FUSION FUSION_ALPHA
      FUSION_W_BM25 FUSION_NORM FUSION_MISSING RESCUE_RANK RESCUE_MIN RESCUE_WINDOW RESCUE_AT RESCUE_MAX SLUG_DECAY
      FTS_STOPWORDS BENCH_DENSE BENCH_TOKEN_BUDGET BENCH_ATTN_BUDGET BENCH_ALLOW_CPU BENCH_CACHE ABSTAIN ABSTAIN_MIN CALIB
      LINK_EXPAND LINK_EXPAND_K LINK_EXPAND_MAX FRESHNESS FRESHNESS_FACTOR FRESHNESS_EXPIRED_FACTOR HOOK_QUERY HOOK_SEMANTIC
      HOOK_SEMANTIC_MS HITS_LOG STATE_DIR WORKSPACE SESSION_RETENTION_DAYS CONSOLIDATE_INTERVAL AUTO_CONSOLIDATE`;
    const env = Object.fromEntries(documented.split(/\s+/).map((name) => [`GESTALT_${name}`, "x"]));
    expect(unknownVariables(env)).toEqual([]);
  });

  test("a knob without effect says so once, and is no setting", () => {
    expect(idleVariables({ GESTALT_PYTHON: "/usr/bin/python3", GESTALT_TF32: "", GESTALT_LIMIT: "3" })).toEqual([
      `GESTALT_PYTHON has no effect: ${knobs.python.accepted}`,
    ]);
    expect(liveKnobs).not.toContain("python");
  });

  test("a mistyped variable is found, with the nearest name", () => {
    expect(
      unknownVariables({ GESTALT_LIMTI: "3", GESTALT_DB: "x", GESTALTED: "y", GESTALT_QQQQQQQQQQQQ: "z" }),
    ).toEqual([{ name: "GESTALT_LIMTI", near: "GESTALT_LIMIT" }, { name: "GESTALT_QQQQQQQQQQQQ" }]);
  });
});

describe("reading a value", () => {
  const whole = { kind: "integer", range: [1, 100] } as const;

  test.each([
    "",
    " ",
    "1.5",
    "1e1",
    "0x10",
    "０",
    "１０",
    "10 000",
    "NaN",
    "Infinity",
    "--",
    "0",
    "101",
    "99999999999999999999",
  ])("%p is no whole number from 1 to 100", (written) => expect(readValue(whole, written)).toBeUndefined());

  test("a number may have a fraction and an exponent, and nothing else", () => {
    const rule = { kind: "number", range: [0, 1] } as const;
    expect(["0.5", ".5", "5e-1", "+0.50", " 0.5 "].map((written) => readValue(rule, written))).toEqual(
      Array(5).fill(0.5),
    );
    expect(["1.0.0", "0,5", "½", "1e", "nan"].map((written) => readValue(rule, written))).toEqual(
      Array(5).fill(undefined),
    );
  });

  test("on and off have the usual other spellings", () => {
    const read = (written: string) => readValue({ kind: "boolean" }, written);
    expect(["on", "ON", "1", "true", "yes"].map(read)).toEqual(Array(5).fill(true));
    expect(["off", "0", "false", "No"].map(read)).toEqual(Array(4).fill(false));
    expect(["", "2", "maybe"].map(read)).toEqual(Array(3).fill(undefined));
  });

  test("an inherited name is no synonym", () => {
    expect(readValue({ kind: "choice", options: ["a"], synonyms: {} }, "constructor")).toBeUndefined();
  });

  test("never throws, and gives only what the rule allows", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (written) => {
        const value = readValue(whole, written);
        expect(value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100)).toBe(
          true,
        );
        for (const [, knob] of allKnobs) readValue(knob, written);
      }),
    );
  });
});

describe("folders", () => {
  test("the cache is where the system keeps caches", () => {
    const env = { HOME: "/home/ada", LOCALAPPDATA: "/c/local" };
    expect(cacheDir(env, "linux")).toBe(join("/home/ada", ".cache", "gestalt"));
    expect(cacheDir(env, "darwin")).toBe(join("/home/ada", "Library", "Caches", "gestalt"));
    expect(cacheDir(env, "win32")).toBe(join("/c/local", "gestalt"));
    expect(cacheDir({ ...env, XDG_CACHE_HOME: "/x" }, "linux")).toBe(join("/x", "gestalt"));
    expect(configDir({ ...env, XDG_CONFIG_HOME: "/y" }, "linux")).toBe(join("/y", "gestalt"));
  });

  test("a relative XDG folder is ignored, as the specification asks", () => {
    expect(cacheDir({ HOME: "/home/ada", XDG_CACHE_HOME: "cache" }, "linux")).toBe(
      join("/home/ada", ".cache", "gestalt"),
    );
  });

  test("Claude Code's and Codex's are where their own variables say; an empty one is none", () => {
    expect(clientFolders({ HOME: "/h", CODEX_HOME: " " })).toEqual({
      claude: join("/h", ".claude"),
      servers: join("/h", ".claude.json"),
      codex: join("/h", ".codex"),
    });
    expect(clientFolders({ HOME: "/h", CLAUDE_CONFIG_DIR: "~/.config/claude", CODEX_HOME: "/c/" })).toEqual({
      claude: join("/h", ".config", "claude"),
      servers: join("/h", ".config", "claude", ".claude.json"),
      codex: "/c",
    });
  });

  test("only a leading ~ of one's own is the home folder", () => {
    const env = { HOME: "/home/ada" };
    expect(expandHome("~/a", env)).toBe(join("/home/ada", "a"));
    expect(["~bob/a", "a/~", "/~"].map((path) => expandHome(path, env))).toEqual(["~bob/a", "a/~", "/~"]);
  });
});

test("colour needs a terminal, and yields to NO_COLOR whatever it says", () => {
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({}, {})).toBe(false);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "true" })).toBe(false);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
  expect(wantsColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
});
