import { dlopen } from "bun:ffi";
import { Writable } from "node:stream";

/**
 * Takes stdout for the one writer that is returned. Whatever else writes to it from here on (this program, a library of
 * it, a native one) writes to stderr: a stray line would break the protocol.
 *
 * On Windows only what JavaScript writes is turned away.
 */
export function takeStdout(): Writable {
  const sink = Bun.file(movedAway()).writer();
  return new Writable({
    write(chunk: Uint8Array, _, done) {
      sink.write(chunk);
      Promise.resolve(sink.flush()).then(() => done(), done);
    },
  });
}

/** A descriptor of what was stdout, after descriptor 1 was made to lead to stderr. */
function movedAway(): number {
  if (process.platform === "win32") {
    process.stdout.write = process.stderr.write.bind(process.stderr);
    return 1;
  }
  for (const name of process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", "libc.so"])
    try {
      const { symbols, close } = dlopen(name, {
        dup: { args: ["i32"], returns: "i32" },
        dup2: { args: ["i32", "i32"], returns: "i32" },
      });
      const kept = symbols.dup(1);
      if (kept >= 0) symbols.dup2(2, 1);
      close();
      if (kept >= 0) return kept;
    } catch {
      // The C library of another Linux: the next name.
    }
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return 1;
}
