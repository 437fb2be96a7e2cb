import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { $, type BunPlugin, Glob } from "bun";
import packages from "./package.json" with { type: "json" };
import { writePlugin } from "./src/agents/install/plugin.ts";
import type { NativeName } from "./src/embedded.ts";

/**
 * Every executable that can be built. `onnxruntime` lists the library's files in onnxruntime-node, the binding first; a
 * target without them searches by words only.
 */
const targets = {
  "linux-x64": { bun: "bun-linux-x64", vec: "vec0.so", ort: ["linux/x64", "libonnxruntime.so.1"] },
  "linux-arm64": { bun: "bun-linux-arm64", vec: "vec0.so", ort: ["linux/arm64", "libonnxruntime.so.1"] },
  "darwin-arm64": { bun: "bun-darwin-arm64", vec: "vec0.dylib", ort: ["darwin/arm64", "libonnxruntime.1.dylib"] },
  "darwin-x64": { bun: "bun-darwin-x64", vec: "vec0.dylib", ort: [] },
  "windows-x64": {
    bun: "bun-windows-x64",
    vec: "vec0.dll",
    ort: ["win32/x64", "onnxruntime.dll", "DirectML.dll", "dxcompiler.dll", "dxil.dll"],
  },
} as const;

type Target = keyof typeof targets;
const isTarget = (name: string): name is Target => Object.hasOwn(targets, name);

const root = import.meta.dir;
const cache = join(root, "node_modules", ".cache", "native");

/** The folder of a target's sqlite-vec package: the installed one, or the same version fetched by npm and kept. */
async function vecPackage(target: Target): Promise<string> {
  const name = `sqlite-vec-${target}`;
  const installed = join(root, "node_modules", name);
  if (existsSync(installed)) return installed;
  const version = packages.dependencies["sqlite-vec"];
  const kept = join(cache, `${name}-${version}`);
  if (!existsSync(kept)) {
    const fresh = `${kept}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    await $`npm pack --silent --pack-destination ${fresh} ${name}@${version}`.quiet();
    await $`tar -xzf ${`${name}-${version}.tgz`}`.cwd(fresh);
    rmSync(kept, { recursive: true, force: true });
    renameSync(join(fresh, "package"), kept);
    rmSync(fresh, { recursive: true });
  }
  return kept;
}

/** The native files of a target, on this machine's disk; of each library the one to load comes first. */
async function nativeFiles(target: Target): Promise<{ readonly [Name in NativeName]?: readonly string[] }> {
  const { vec, ort } = targets[target];
  const [place, ...libraries] = ort;
  const sqliteVec = [join(await vecPackage(target), vec)];
  if (place === undefined) return { "sqlite-vec": sqliteVec };
  const folder = join(root, "node_modules", "onnxruntime-node", "bin", "napi-v6", place);
  return {
    "sqlite-vec": sqliteVec,
    onnxruntime: ["onnxruntime_binding.node", ...libraries].map((name) => join(folder, name)),
  };
}

/** The text that takes the place of `src/embedded.ts`: imports that embed the files, and what they must hash to. */
async function embeddedModule(target: Target): Promise<string> {
  const imports: string[] = [];
  const sets = Object.entries(await nativeFiles(target)).map(([library, paths]) => {
    const files = paths.map((path) => {
      const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
      const from = `file${imports.length}`;
      imports.push(`import ${from} from ${JSON.stringify(path)} with { type: "file" };`);
      return {
        sha256,
        source: `{name:${JSON.stringify(basename(path))},from:${from},size:${statSync(path).size},sha256:"${sha256}"}`,
      };
    });
    const hash = createHash("sha256")
      .update(files.map((file) => file.source).join())
      .digest("hex")
      .slice(0, 32);
    return `${JSON.stringify(library)}:{hash:"${hash}",files:[${files.map((file) => file.source).join(",")}]}`;
  });
  return `${imports.join("\n")}\nexport const embedded={${sets.join(",")}};\n`;
}

/**
 * Embeds the target's native files, and lets onnxruntime-node load its binding from where they are unpacked: it finds it by a
 * computed require, which an executable cannot follow.
 */
const native = (target: Target): BunPlugin => ({
  name: "native",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]embedded\.ts$/ }, async () => ({
      contents: await embeddedModule(target),
      loader: "ts",
    }));
    // Half the size; and what a first run reads of the executable stays in its memory.
    build.onLoad({ filter: /\.(so(\.\d+)?|dylib|dll|node|onnx|bin)$/ }, ({ path }) => ({
      contents: Bun.zstdCompressSync(readFileSync(path), { level: 3 }),
      loader: "file",
    }));
    build.onLoad({ filter: /onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const unpacked = `require(${JSON.stringify(join(root, "src", "native.ts"))}).nativeFile("onnxruntime")`;
      const contents = source.replace(
        /require\(`\.\.\/bin[^)]*\)/,
        `(() => { const loaded = { exports: {} }; process.dlopen(loaded, ${unpacked}); return loaded.exports; })()`,
      );
      if (contents === source) throw new Error("onnxruntime-node changed how it loads its binding: see build.ts");
      return { contents, loader: "js" };
    });
  },
});

/**
 * Compiles `entrypoints`, the first of which is run, into the executable `outfile`, which appears when it is whole.
 *
 * @param order what a run used, as `recordOrders` writes it
 */
export async function compile(
  entrypoints: readonly string[],
  target: Target,
  outfile: string,
  order?: string[],
): Promise<void> {
  const outdir = join(dirname(outfile), `.${basename(outfile)}.${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  try {
    await Bun.build({
      entrypoints: [...entrypoints],
      minify: true,
      // A command loads what it needs and no more.
      splitting: true,
      // Halves the start. Needs modules, and no top-level await in any of them.
      bytecode: true,
      format: "esm",
      plugins: [native(target)],
      compile: {
        target: targets[target].bun,
        outfile: join(outdir, basename(outfile)),
        // A search is over before compiled code would pay, and the compiler takes 6 MB: see src/engine/lasting.ts. At 3000 a
        // hook that answers takes half a megabyte less, and no less time.
        jitPolicy: 300,
        bytecodeOrder: order ?? false,
        // A .env or bunfig.toml among somebody's notes is not ours to obey.
        autoloadDotenv: false,
        autoloadBunfig: false,
        autoloadPackageJson: false,
        autoloadTsconfig: false,
      },
    });
    renameSync(join(outdir, basename(outfile)), outfile);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** The target that runs on this machine. */
export function hostTarget(): Target {
  const host = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  if (isTarget(host)) return host;
  throw new Error(`this machine is ${host}; there are ${Object.keys(targets).join(", ")}`);
}

/** What the executable starts with, and what its threads start with. */
export const entrypoints = (): readonly string[] => [
  join(root, "src", "cli.ts"),
  ...new Glob("src/**/*worker.ts").scanSync({ cwd: root, absolute: true }),
];

/**
 * Records in `folder` which code a search uses, and a hook that answers. Put together in the executable, it is read sooner and
 * takes less memory.
 */
async function recordOrders(folder: string): Promise<string[]> {
  const program = join(folder, "gestalt");
  await compile(entrypoints(), hostTarget(), program);
  const question = "merge two ranked lists with reciprocal rank fusion";
  const input = join(folder, "input");
  const prompt = { session_id: "build", cwd: root, hook_event_name: "UserPromptSubmit", prompt: question };
  writeFileSync(input, JSON.stringify(prompt));
  const env = {
    ...process.env,
    GESTALT_SERVE: "off",
    GESTALT_VAULT: join(root, "knowledge"),
    GESTALT_DB: join(folder, "index.db"),
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
  };
  await $`${program} index --lexical --gate`.env(env).quiet();
  const runs = [
    ["search", "--mode", "lexical", question],
    ["hook", "prompt"],
  ];
  for (const [i, run] of runs.entries())
    await $`${program} ${run} < ${Bun.file(input)}`
      .env({ ...env, BUN_BYTECODE_ORDER_OUT: join(folder, `order${i}`) })
      .quiet();
  return runs.map((_, i) => join(folder, `order${i}`));
}

/**
 * `bun build.ts` builds dist/gestalt for this machine, and dist/plugin, the Claude Code plugin around it; `--target NAME` and
 * `--all` build dist/gestalt-NAME and dist/plugin-NAME.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string", multiple: true }, all: { type: "boolean" } } });
  const wanted = values.all ? Object.keys(targets) : (values.target ?? []);
  const unknown = wanted.find((name) => !isTarget(name));
  if (unknown !== undefined) throw new Error(`no target ${unknown}; there are ${Object.keys(targets).join(", ")}`);
  const scratch = mkdtempSync(join(tmpdir(), "gestalt-build-"));
  try {
    const order = await recordOrders(scratch);
    for (const target of wanted.length === 0 ? [hostTarget()] : wanted.filter(isTarget)) {
      const suffix = wanted.length === 0 ? "" : `-${target}`;
      const file = join(root, "dist", `gestalt${suffix}${target.startsWith("windows") ? ".exe" : ""}`);
      const started = performance.now();
      await compile(entrypoints(), target, file, order);
      const { version, description, license } = packages;
      const folder = join(root, "dist", `plugin${suffix}`);
      writePlugin({ folder, version, description, license, executable: file });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${relative(root, file)}  ${(statSync(file).size / 1e6).toFixed(0)} MB  ${seconds} s`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
