/** What a file's bytes say. `line` of a problem is 1-based. A `binary` file holds no prose worth indexing. */
export type Decoded = {
  readonly text: string;
  readonly binary: boolean;
  readonly problem: { readonly line: number; readonly message: string } | undefined;
};

/** Above this share of characters that are no text, a file is taken for something else than Markdown. */
const binaryShare = 0.1;

/**
 * Reads UTF-8, or UTF-16 that says so by its byte order mark. The mark is dropped, line ends become `\n`, and what is no
 * text (NUL, bytes that are not UTF-8) becomes U+FFFD with one `problem` that names the first. Never throws.
 *
 * A lone carriage return ends a line only in a file without any line feed, so that line numbers agree with other tools.
 */
export function decode(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  const strict = strictly(bytes, encoding);
  const raw = strict ?? new TextDecoder(encoding).decode(bytes);
  const text = unixLines(raw);
  if (strict !== undefined && !text.includes("\0")) return { text, binary: false, problem: undefined };
  const clean = text.replaceAll("\0", "\ufffd");
  const first = clean.indexOf("\ufffd");
  const bad = clean.split("\ufffd").length - 1;
  const message = strict === undefined ? `some bytes are not ${encoding.toUpperCase()}` : "holds NUL characters";
  return {
    text: clean,
    binary: bad > clean.length * binaryShare,
    problem: { line: clean.slice(0, first).split("\n").length, message },
  };
}

/** The lines of a decoded file. A final line end closes the last line and begins no other; an empty file has none. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

function strictly(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be"): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unixLines(text: string): string {
  if (!text.includes("\r")) return text;
  return text.includes("\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\r", "\n");
}
