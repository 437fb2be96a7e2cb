import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { Glob } from "bun";

// The map in src/README.md is the law: this test reads it, so it cannot grow stale.
const src = join(import.meta.dir, "..", "src");
const map = readFileSync(join(src, "README.md"), "utf8");
const rooms = new Map(
  [...map.matchAll(/^\| ([a-z]+) \|.*\|([a-z ]*)\|$/gm)]
    .filter(([, room]) => room !== "room")
    .map(([, room, list]) => [room!, list!.trim().split(" ").filter(Boolean)]),
);
const sharedFiles = [...(/^Every room may import.*?\n\n/ms.exec(map)?.[0] ?? "").matchAll(/`([a-z]+\.ts)`/g)].map(
  ([, file]) => file!,
);

const files = [...new Glob("**/*.ts").scanSync({ cwd: src })]
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !path.endsWith(".d.ts"))
  .sort();
const text = (file: string): string => readFileSync(join(src, file), "utf8");
/** The code without its comments; a `//` counts as one at the beginning of a line or after a space. */
const code = (file: string): string =>
  text(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1");
const roomOf = (file: string): string => (file.includes("/") ? file.split("/")[0]! : "");
const imports = (file: string): string[] =>
  [...code(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, path]) => path!);

describe("the map", () => {
  test("lists every room, and every file that all rooms share", () => {
    const found = new Set(files.filter((file) => file.includes("/")).map(roomOf));
    expect([...found].filter((room) => !rooms.has(room))).toEqual([]);
    const top = files.filter((file) => !file.includes("/") && file !== "cli.ts" && file !== "demo.ts");
    expect(top.sort()).toEqual([...sharedFiles].sort());
  });

  test.each(files)("allows what %s imports", (file) => {
    const relative = imports(file).filter((path) => path.startsWith("."));
    const targets = relative.map((path) => normalize(join(dirname(file), path)).replaceAll("\\", "/"));
    const inside = targets.filter((target) => !target.startsWith("../"));
    const outside = targets.filter((target) => target.startsWith("../"));
    expect(
      outside.filter(
        (target) =>
          target !== "../package.json" &&
          !/^\.\.\/(bench\/[\w-]+\.json|hooks\/\w+\.json|rules\/\w+\.md|skills\/[\w-]+\/SKILL\.md)$/.test(target),
      ),
    ).toEqual([]);
    const room = roomOf(file);
    const allowed = room === "" ? (file === "cli.ts" ? ["commands"] : []) : [room, ...(rooms.get(room) ?? [])];
    const strays = inside.filter((target) =>
      target.includes("/") ? !allowed.includes(roomOf(target)) : !sharedFiles.includes(target),
    );
    expect(strays).toEqual([]);
  });
});

/** What may stand in the code of some files only. `only` are beginnings of paths. */
const never: readonly { readonly what: string; readonly pattern: RegExp; readonly only: readonly string[] }[] = [
  { what: "console", pattern: /\bconsole\./, only: ["commands/", "cli.ts", "demo.ts"] },
  { what: "process.exit", pattern: /\bprocess\.exit\(/, only: ["cli.ts"] },
  { what: "process.exitCode", pattern: /\bprocess\.exitCode\b/, only: ["cli.ts", "demo.ts"] },
  { what: "the environment", pattern: /\b(process|Bun|import\.meta)\.env\b/, only: ["settings.ts"] },
  {
    what: "sqlite-vec",
    pattern: /"sqlite-vec"/,
    only: ["store/open.ts", "store/health.ts", "engine/doctor.ts", "native.ts", "embedded.ts"],
  },
  {
    what: "ONNX Runtime's package",
    pattern: /(from|import\(|require\()\s*"onnxruntime-node"/,
    only: ["models/session.ts"],
  },
  { what: "citty", pattern: /"citty"/, only: ["commands/help.ts"] },
  { what: "SQL", pattern: /\b(SELECT|INSERT INTO|DELETE FROM|CREATE (TABLE|VIRTUAL)|PRAGMA)\s/, only: ["store/"] },
  { what: "an open database", pattern: /new Database\(/, only: ["store/"] },
  {
    what: "the internet",
    pattern: /(?<!async |\.)\bfetch\(|"node:https?"/,
    only: ["models/weights.ts", "bench/fetching.ts"],
  },
  { what: "a socket", pattern: /"node:net"|\bBun\.(serve|listen|connect)\b/, only: ["service/", "agents/"] },
  {
    what: "a model's name",
    pattern: /bge-small|bge-reranker|minilm|nomic-embed|stella_en|qwen3-(embedding|reranker)|multilingual-e5/i,
    only: ["models/profiles.ts", "models/rerankers.ts"],
  },
  {
    what: "state at module level",
    pattern: /^(export )?(let|var) |^(export )?const \w+(: (Map|Set|WeakMap)<.*)? = new (Map|Set|WeakMap)\b[^(]*\(\);/m,
    // A thread's file is the thread: what it holds lives as long.
    only: ["models/embed-worker.ts"],
  },
  { what: "any", pattern: /[:<]\s*any\b|\bas any\b/, only: [] },
  { what: "a class", pattern: /^(export )?(default )?(abstract )?class /m, only: ["errors.ts"] },
  { what: "a default export", pattern: /^export default /m, only: ["commands/"] },
];

describe.each(never)("$what", ({ pattern, only }) => {
  test(`stands ${only.length === 0 ? "nowhere" : `in ${only.join(", ")} only`}`, () => {
    const strays = files.filter((file) => !only.some((start) => file.startsWith(start)) && pattern.test(code(file)));
    expect(strays).toEqual([]);
  });
});

test("ONNX Runtime is asked for through native.ts, which keeps it from reporting to its maker, before it is loaded", () => {
  const loaders = files.filter((file) => /import\(\s*"onnxruntime-node"/.test(code(file)));
  expect(loaders.filter((file) => !code(file).includes('nativeFile("onnxruntime")'))).toEqual([]);
});

test("no index.ts only re-exports", () => {
  const barrels = files
    .filter((file) => basename(file) === "index.ts")
    .filter(
      (file) =>
        code(file)
          .replace(/export\s[^;]*?\sfrom\s*"[^"]+";/g, "")
          .trim() === "",
    );
  expect(barrels).toEqual([]);
});

/** Files that may be longer than 200 lines, and why. */
const long: Readonly<Record<string, string>> = {};

test("no file is longer than 200 lines without a reason", () => {
  const tooLong = files.filter((file) => text(file).trimEnd().split("\n").length > 200);
  expect(tooLong.filter((file) => long[file] === undefined)).toEqual([]);
  expect(Object.keys(long).filter((file) => !tooLong.includes(file))).toEqual([]);
});

test("every command in cli.ts is a file in commands, and answers to its own name", async () => {
  for (const [, name, path] of code("cli.ts").matchAll(
    /"?([a-z-]+)"?: \(\) => import\("\.\/(commands\/[a-z-]+\.ts)"\)/g,
  )) {
    const { default: command } = await import(join(src, path!));
    expect(command.name).toBe(name);
    expect(command.description).not.toBe("");
  }
});
