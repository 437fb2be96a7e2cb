import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { withoutBlocks } from "./fence.ts";
import { type Fields, objectIn, recordOf, textOf } from "./hooks/input.ts";
import { isWriter, patchedFiles, pathIn } from "./tool-call.ts";

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

/** Lines that may be turns; others, like the outputs of tools, are not even parsed. */
const telling = /"role"|"(?:custom_tool|function)_call"|"type": ?"(?:user|gemini)"/;

/**
 * The turns of a transcript: a JSON object a line in the form of Claude Code, Cursor, Codex or Gemini CLI, or one object
 * with Gemini's `messages`. What is no turn of the main conversation is left out, and so are blocks that were injected. A
 * file that cannot be read has none.
 */
export function readTranscript(file: string): readonly Turn[] {
  let text: string;
  try {
    text = headAndTail(file);
  } catch {
    return [];
  }
  const messages = /^\{\s*"sessionId"/.test(text) ? objectIn(text)?.["messages"] : undefined;
  if (Array.isArray(messages)) return messages.flatMap((message) => turnsOf(recordOf(message)));
  return text.split("\n").flatMap((line) => (telling.test(line) ? turnsOf(objectIn(line)) : []));
}

function headAndTail(file: string): string {
  // Who opens a pipe waits for its other end.
  if (!statSync(file).isFile()) return "";
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

/** Marks of lines that nobody spoke in this conversation: a subagent's, the program's own, a summary that a model made of it. */
const notSpoken = ["isSidechain", "isMeta", "isCompactSummary"];

function turnsOf(line: Fields | undefined): Turn[] {
  if (line === undefined || notSpoken.some((key) => line[key] === true)) return [];
  const payload = recordOf(line["payload"]);
  if (payload !== undefined) return line["type"] === "response_item" ? ofCodex(payload) : [];
  const message = recordOf(line["message"]);
  if (message === undefined) return ofGemini(line);
  // Lines of progress hold messages of others.
  if (!/^(?:user|assistant|message|undefined)$/.test(String(line["type"]))) return [];
  const role = textOf(message["role"]) ?? textOf(line["type"]) ?? textOf(line["role"]);
  return said(role, message["content"]);
}

/** A message has a role; a call is an item of its own, its input a text. */
function ofCodex(item: Fields): Turn[] {
  if (item["type"] === "message") return said(textOf(item["role"]), item["content"]);
  const tool = textOf(item["name"]);
  const input = textOf(item["arguments"]) ?? textOf(item["input"]);
  return tool === undefined || input === undefined ? [] : calls(tool, objectIn(input) ?? { input });
}

function ofGemini({ type, content, toolCalls }: Fields): Turn[] {
  const speaker = type === "gemini" ? "assistant" : textOf(type);
  const called = Array.isArray(toolCalls) ? toolCalls.map(recordOf) : [];
  return [
    ...said(speaker, content),
    ...called.flatMap((call) => calls(textOf(call?.["name"]) ?? "", recordOf(call?.["args"]) ?? {})),
  ];
}

/** The texts and calls of a message, which is a text or a list of parts. */
function said(speaker: string | undefined, content: unknown): Turn[] {
  if (speaker !== "user" && speaker !== "assistant") return [];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return parts.map(recordOf).flatMap((part): Turn[] => {
    const type = part?.["type"] ?? "text";
    if (type === "tool_use") return calls(textOf(part?.["name"]) ?? "", recordOf(part?.["input"]) ?? {});
    if (type !== "text" && type !== "input_text" && type !== "output_text") return [];
    const text = spoken(textOf(part?.["text"]) ?? "");
    return text === "" ? [] : [{ kind: speaker, text }];
  });
}

function calls(tool: string, input: Fields): Turn[] {
  const path = pathIn(input);
  if (tool === "") return [];
  if (isWriter(tool) && path !== undefined) return [{ kind: "changed", path }];
  // Codex writes files by a patch, whichever tool takes it.
  const isPatch = (text: unknown): boolean => typeof text === "string" && text.includes("*** Begin Patch");
  const paths = patchedFiles({ patches: Object.values(input).flat().filter(isPatch) });
  if (paths.length > 0) return paths.map((path) => ({ kind: "changed", path: path.trim() }));
  return [{ kind: "called", tool, input: JSON.stringify(input) }];
}

/**
 * Programs put lines of their own into a user's turn, each in a tag; commands of the program, and what a shell said to the user, are no
 * request. `user_query` alone holds the user's words.
 */
const wrapped =
  /<((?:system|command|local-command|bash|task|teammate|ide|user-prompt|session-start|persisted)[-_][\w-]+|(?:user|open|attached|environment|current|project|git|additional|linter|recently|manually|always|agent|available|mcp)_(?!query>)\w+|timestamp)(?:\s[^>\n]{0,200})?>[\s\S]*?(?:<\/\1>|$)/g;

const spoken = (text: string): string =>
  withoutBlocks(text)
    .replace(wrapped, "")
    .replace(/<\/?user_query>/g, "")
    .trim();
