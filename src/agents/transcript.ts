import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { withoutBlocks } from "./fence.ts";
import { type Fields, objectIn, recordOf, textOf } from "./hooks/input.ts";

/** One thing that was said or done in a session, in its order. */
export type Turn =
  | { readonly kind: "user" | "assistant"; readonly text: string }
  /** A file that a tool wrote, as the tool was told. */
  | { readonly kind: "changed"; readonly path: string }
  /** A call of any other tool: its name, and its input as text. */
  | { readonly kind: "called"; readonly tool: string; readonly input: string };

/** Bytes that are read of a long transcript: its beginning, which says what was asked, and its end. */
const head = 1_000_000;
const tail = 4_000_000;
const writers = new Set([
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "StrReplace",
  "Delete",
  "edit_file",
  "write_file",
]);

/**
 * The turns of a transcript, of Claude Code's or Cursor's form: a JSON object a line. What is no turn of the main
 * conversation is left out, and so are blocks that were injected. A file that cannot be read has none.
 */
export function readTranscript(file: string): readonly Turn[] {
  let text: string;
  try {
    text = headAndTail(file);
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => (line.includes('"role"') ? turnsOf(objectIn(line)) : []));
}

function headAndTail(file: string): string {
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    const part = (from: number, length: number) => {
      const bytes = new Uint8Array(length);
      return new TextDecoder().decode(bytes.subarray(0, readSync(handle, bytes, 0, length, from)));
    };
    return size <= head + tail ? part(0, size) : `${part(0, head)}\n${part(size - tail, tail)}`;
  } finally {
    closeSync(handle);
  }
}

function turnsOf(line: Fields | undefined): Turn[] {
  const message = recordOf(line?.["message"]);
  if (line === undefined || message === undefined || line["isSidechain"] === true || line["isMeta"] === true) return [];
  const role = textOf(line["type"]) ?? textOf(line["role"]);
  const speaker = textOf(message["role"]) ?? role;
  if (speaker !== "user" && speaker !== "assistant") return [];
  const { content } = message;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return parts.flatMap((part) => turnOf(speaker, recordOf(part)));
}

function turnOf(speaker: "user" | "assistant", part: Fields | undefined): Turn[] {
  if (part?.["type"] === "text") {
    const text = spoken(textOf(part["text"]) ?? "");
    return text === "" ? [] : [{ kind: speaker, text }];
  }
  const tool = textOf(part?.["name"]);
  const input = recordOf(part?.["input"]);
  if (part?.["type"] !== "tool_use" || tool === undefined || input === undefined) return [];
  const path = textOf(input["file_path"]) ?? textOf(input["notebook_path"]) ?? textOf(input["path"]);
  if (writers.has(tool) && path !== undefined) return [{ kind: "changed", path }];
  return [{ kind: "called", tool, input: JSON.stringify(input) }];
}

/** Programs put lines of their own into a user's turn, each in a tag; commands of the program are no request. */
const wrapped =
  /<(system-reminder|command-[\w-]+|local-command-[\w-]+|task-notification|user_info|attached_files)>[\s\S]*?(?:<\/\1>|$)/g;

const spoken = (text: string): string =>
  withoutBlocks(text)
    .replace(wrapped, "")
    .replace(/<\/?user_query>/g, "")
    .trim();
