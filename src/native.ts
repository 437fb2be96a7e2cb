import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Embedded, embedded, type NativeName } from "./embedded.ts";
import { GestaltError } from "./errors.ts";
import { unpacked } from "./unpack.ts";

/**
 * The path of a native library on disk, ready to be loaded; its companions lie beside it. Loads nothing itself.
 *
 * ONNX Runtime must be asked for here before it is loaded in any way: it then sends nothing home.
 *
 * @returns undefined when this platform has no such library
 * @throws GestaltError "io" when it cannot be written anywhere, or its reports cannot be switched off
 */
export function nativeFile(name: NativeName, sets: Embedded | undefined = embedded): string | undefined {
  if (name === "onnxruntime") forbidReports();
  if (sets === undefined) return fromPackages(name);
  const set = sets[name];
  return set === undefined ? undefined : unpacked(set);
}

/**
 * Since 1.29 ONNX Runtime reports sessions to its maker on Linux and macOS, and keeps a device id in the user's cache,
 * unless this variable is set before it starts. It asks the C library, which Bun's `process.env` does not write to. On
 * Windows it speaks to the system's own tracing, and has no such variable.
 *
 * @see https://github.com/microsoft/onnxruntime/pull/27379
 */
function forbidReports(): void {
  if (process.platform === "win32") return;
  // Loaded late, as is all here that sqlite-vec can do without: hooks ask for that.
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  const names =
    process.platform === "darwin"
      ? ["libSystem.B.dylib"]
      : ["libc.so.6", `libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`];
  for (const name of names)
    try {
      const { symbols, close } = dlopen(name, { setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
      const failed = symbols.setenv(Buffer.from("ORT_DISABLE_TELEMETRY\0"), Buffer.from("1\0"), 1);
      close();
      if (failed === 0) return;
    } catch {
      // The C library of another Linux: the next name.
    }
  throw new GestaltError(
    "io",
    "ONNX Runtime is not used: its reports to its maker cannot be switched off on this system",
    "gestalt search --mode lexical",
  );
}

function fromPackages(name: NativeName): string | undefined {
  const { platform, arch } = process;
  try {
    if (name === "sqlite-vec") {
      const [system, suffix] =
        platform === "win32" ? ["windows", "dll"] : [platform, platform === "darwin" ? "dylib" : "so"];
      return require.resolve(`sqlite-vec-${system}-${arch}/vec0.${suffix}`);
    }
    const root = dirname(dirname(require.resolve("onnxruntime-node")));
    const path = join(root, "bin", "napi-v6", platform, arch, "onnxruntime_binding.node");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
