import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Where a score is made. The files that these import, and so on, are all that it depends on; what is imported late and takes
 * part is named here too.
 */
const roots = [
  "bench/trial.ts",
  "bench/metrics.ts",
  "bench/score.ts",
  "bench/significance.ts",
  "bench/load.ts",
  "engine/comparing.ts",
  "engine/meaning.ts",
  "models/embed.ts",
  "models/embed-worker.ts",
  "models/pool.ts",
  "models/rerank.ts",
  "notes/parse.ts",
];

/** Files that are imported there and only tell of scores. */
const tellers: readonly string[] = ["code", "code-macro", "cost", "heldout", "machine", "result"].map(
  (name) => `bench/${name}.ts`,
);

/** Files that are imported late there and take no part: other verbs of the engine. */
const apart: readonly string[] = [
  "about",
  "changed",
  "check",
  "graph",
  "likeness",
  "manifest",
  "null",
  "recall",
  "texts",
].map((name) => `engine/${name}.ts`);

const source = join(import.meta.dir, "..");

/**
 * SHA-256 of the code that a score depends on, by room, without comments and types. Called as a macro: it runs when the
 * program is built, where the sources are, and the executable holds what it returned.
 */
export function hashCode(): Record<string, string> {
  const { code } = reached();
  const hashes: Record<string, string> = {};
  const inRooms = [...code.keys()].filter((file) => file.includes("/")).sort();
  for (const [room, files] of Map.groupBy(inRooms, (file) => dirname(file).split("/")[0] ?? "")) {
    const hash = createHash("sha256");
    for (const file of files) hash.update(`${file}\0${code.get(file)}\0`);
    hashes[room] = hash.digest("hex");
  }
  return hashes;
}

/** The code that a score depends on, by file; and the files imported late of which nobody has said whether they take part. */
export function reached(): { readonly code: ReadonlyMap<string, string>; readonly unnamed: readonly string[] } {
  const compiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const code = new Map<string, string>();
  const unnamed = new Set<string>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (code.has(file) || tellers.includes(file)) continue;
    const text = readFileSync(join(source, file), "utf8");
    code.set(file, compiler.transformSync(text));
    for (const { path, kind } of compiler.scanImports(text)) {
      const target = relative(source, join(source, dirname(file), path)).replaceAll("\\", "/");
      const ours = path.startsWith(".") && target.endsWith(".ts") && !target.startsWith("..");
      if (!ours || !existsSync(join(source, target))) continue;
      if (kind === "import-statement") waiting.push(target);
      else if (kind === "dynamic-import" && ![...roots, ...apart].includes(target)) unnamed.add(target);
    }
  }
  return { code, unnamed: [...unnamed].filter((file) => !code.has(file)) };
}
