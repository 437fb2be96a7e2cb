import { beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hostTarget } from "../build.ts";
import { nativeFile } from "../src/native.ts";
import { temporaryFolder } from "./door.ts";

const root = join(import.meta.dir, "..");
const place = temporaryFolder();
const probe = join(place, "probe");
const model = join(root, "..", "shared", "models", "all-minilm-l6-v2-q", "model.onnx");
const withMeaning = hostTarget() !== "darwin-x64";

// In a process of its own: what a bundler does to modules should not meet what the test runner did to them.
beforeAll(() => {
  const build = `import { compile, hostTarget } from "./build.ts";
    await compile([${JSON.stringify(join(import.meta.dir, "fixtures", "native-probe.ts"))}], hostTarget(), ${JSON.stringify(probe)});`;
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", build], { cwd: root });
  if (exitCode !== 0) throw new Error(String(stderr));
}, 60_000);

type Found = {
  readonly vec: string;
  readonly ort: string;
  readonly version: string;
  readonly inputs?: string[];
  readonly env?: string;
};

function user() {
  const folder = temporaryFolder();
  const cache = join(folder, "cache");
  const env = { PATH: "/usr/bin:/bin", HOME: folder, XDG_CACHE_HOME: cache, TMPDIR: join(folder, "tmp") };
  mkdirSync(env.TMPDIR);
  const start = (...argv: string[]) => Bun.spawn([probe, ...argv], { cwd: folder, env, stderr: "pipe" });
  const finish = async (child: ReturnType<typeof start>): Promise<Found> => {
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return { folder, cache, tmp: env.TMPDIR, start, finish, run: (...argv: string[]) => finish(start(...argv)) };
}

const bytesAreRight = ({ vec, ort }: Found): void => {
  expect(readFileSync(vec)).toEqual(readFileSync(nativeFile("sqlite-vec")!));
  if (withMeaning) expect(readFileSync(ort)).toEqual(readFileSync(nativeFile("onnxruntime")!));
};

describe("the executable, alone", () => {
  test("unpacks its libraries once, in a folder for the user alone, and leaves nothing else", async () => {
    const { cache, run } = user();
    const first = await run();
    expect(first.version).toBe("v0.1.9");
    expect(first.vec.startsWith(join(cache, "gestalt", "native"))).toBe(true);
    bytesAreRight(first);
    expect(lstatSync(dirname(first.vec)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(first.vec)).sort()).toEqual([basename(first.vec), "verified.json"]);
    const { ino, ctimeMs } = statSync(first.vec);
    expect(await run()).toEqual(first);
    expect([statSync(first.vec).ino, statSync(first.vec).ctimeMs]).toEqual([ino, ctimeMs]);
  });

  test.skipIf(!withMeaning || !existsSync(model))(
    "runs a model, and ONNX Runtime keeps no device id and sends nothing home",
    async () => {
      const { folder, cache, run } = user();
      const { inputs } = await run(model);
      expect(inputs).toEqual(["input_ids", "attention_mask", "token_type_ids"]);
      // With its reports on, the runtime puts `Microsoft/DeveloperTools` there.
      expect(readdirSync(cache)).toEqual(["gestalt"]);
      expect(readdirSync(folder).sort()).toEqual(["cache", "tmp"]);
    },
  );

  test("does not obey a .env or a bunfig.toml where it is run", async () => {
    const { folder, run } = user();
    writeFileSync(join(folder, ".env"), "FROM_DOTENV=1\n");
    writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(folder, "evil.ts"), 'throw new Error("ran");\n');
    expect((await run()).env).toBeUndefined();
  });

  test("unpacks whole files when eight start at once", async () => {
    const { start, finish } = user();
    const found = await Promise.all(Array.from({ length: 8 }, () => start()).map(finish));
    expect(new Set(found.map(({ vec }) => vec)).size).toBe(1);
    bytesAreRight(found[0]!);
    expect(readdirSync(dirname(found[0]!.vec)).length).toBe(2);
  });
});

describe("an unpacked library that is not what it was", () => {
  const spoil: Readonly<Record<string, (path: string) => void>> = {
    "cut short": (path) => truncateSync(path, 1000),
    emptied: (path) => truncateSync(path, 0),
    gone: (path) => rmSync(path),
    "a folder": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "changed in one byte, its size and time put back": (path) => {
      const { atime, mtime } = statSync(path);
      const bytes = readFileSync(path);
      bytes[5000] = bytes[5000]! ^ 1;
      writeFileSync(path, bytes);
      utimesSync(path, atime, mtime);
    },
    "a link to another file": (path) => {
      const other = join(dirname(dirname(path)), "other");
      writeFileSync(other, "not a library");
      rmSync(path);
      symlinkSync(other, path);
    },
    "open to writing by others": (path) => chmodSync(path, 0o777),
    "in a folder open to writing by others": (path) => chmodSync(dirname(path), 0o777),
    "without its seal": (path) => rmSync(join(dirname(path), "verified.json")),
    "with a seal that lies": (path) => writeFileSync(join(dirname(path), "verified.json"), "[]"),
  };

  test.each(Object.entries(spoil))("is never loaded: %s", async (_, change) => {
    const { run } = user();
    const first = await run();
    change(first.vec);
    const second = await run();
    expect(second.version).toBe("v0.1.9");
    bytesAreRight(second);
    for (const path of [second.vec, dirname(second.vec)]) expect(lstatSync(path).mode & 0o022).toBe(0);
  });
});

describe("a cache folder that cannot be used", () => {
  const spoil: Readonly<Record<string, (cache: string) => void>> = {
    "is a file": (cache) => writeFileSync(cache, ""),
    "leads nowhere": (cache) => symlinkSync(join(cache, "..", "nowhere", "place"), cache),
  };

  test.each(Object.entries(spoil))("gives way to one under the temporary folder: %s", async (_, change) => {
    const { cache, tmp, run } = user();
    change(cache);
    const first = await run();
    expect(first.vec.startsWith(join(tmp, "gestalt-"))).toBe(true);
    bytesAreRight(first);
    expect(await run()).toEqual(first);
  });

  test("and a temporary folder that somebody else was first to take: one made for the process, and removed", async () => {
    const { cache, tmp, run } = user();
    writeFileSync(cache, "");
    symlinkSync(join(tmp, "..", "nowhere"), join(tmp, `gestalt-${process.getuid?.()}`));
    const { vec, version } = await run();
    expect(version).toBe("v0.1.9");
    expect(vec.startsWith(join(tmp, "gestalt-native-"))).toBe(true);
    expect(readdirSync(tmp)).toEqual([`gestalt-${process.getuid?.()}`]);
  });

  test("and no temporary folder either: it says so in words", async () => {
    const { cache, tmp, run } = user();
    writeFileSync(cache, "");
    rmSync(tmp, { recursive: true });
    writeFileSync(tmp, "");
    await expect(run()).rejects.toThrow(/cannot unpack vec0/);
  });

  test.skipIf(process.getuid?.() !== 0)("is one that belongs to another user", async () => {
    const { tmp, run } = user();
    const first = await run();
    chownSync(dirname(first.vec), 12_345, 12_345);
    const second = await run();
    expect(second.vec.startsWith(join(tmp, "gestalt-"))).toBe(true);
    bytesAreRight(second);
  });
});

test("run from source, the libraries are those of node_modules", () => {
  expect(nativeFile("sqlite-vec")).toContain("node_modules");
  if (withMeaning) expect(nativeFile("onnxruntime")).toContain("node_modules");
});
