import { type Fields, objectIn, recordOf, textOf } from "./hooks/input.ts";
import { quoted } from "./quoted.ts";

const shells = /^(Bash|Shell|shell|local_shell|exec_command|run_shell_command|shell_command|unified_exec)$/;
const writers =
  /^(Write|Edit|MultiEdit|NotebookEdit|EditNotebook|Delete|StrReplace|write|write_file|create_file|replace|search_replace|edit_file|edit_notebook|reapply|delete_file)$/;
const patchers = /^(apply_patch|ApplyPatch)$/;

/** Whether a tool writes the file that it is given, or deletes it. */
export const isWriter = (tool: string): boolean => writers.test(tool);

export const isDeleter = (tool: string): boolean => isWriter(tool) && /^delete/i.test(tool);

/** What an agent is about to do with a tool, whichever client says it. */
export type ToolCall = {
  readonly tool: string;
  readonly input: Fields;
  /** The line that a shell will read, and which shell. */
  readonly line: string | undefined;
  readonly isPowerShell: boolean;
  /** The files that will be written, as the client names them. */
  readonly files: readonly string[];
  readonly isMcp: boolean;
};

/** Reads the input of PreToolUse, BeforeTool, beforeShellExecution, beforeMCPExecution or preToolUse. */
export function toolCallIn(fields: Fields): ToolCall {
  const tool = textOf(fields["tool_name"]) ?? "";
  const input = inputIn(fields) ?? {};
  const event = fields["hook_event_name"];
  const isPowerShell = tool === "PowerShell";
  const line =
    event === "beforeShellExecution"
      ? commandIn(fields)
      : shells.test(tool) || isPowerShell
        ? commandIn(input)
        : undefined;
  const path = pathIn(input);
  const files = patchers.test(tool) ? patchedFiles(input) : isWriter(tool) && path !== undefined ? [path] : [];
  const isMcp = line === undefined && (event === "beforeMCPExecution" || /^mcp_/.test(tool));
  return { tool, input, line, isPowerShell, files, isMcp };
}

/** What a tool is given. Some events of Cursor hold it as text. */
export const inputIn = (fields: Fields): Fields | undefined =>
  recordOf(fields["tool_input"]) ?? objectIn(textOf(fields["tool_input"]) ?? "");

/** The file that a tool is given. */
export const pathIn = (input: Fields | undefined): string | undefined =>
  textOf(input?.["file_path"]) ??
  textOf(input?.["notebook_path"]) ??
  textOf(input?.["path"]) ??
  textOf(input?.["target_file"]) ??
  textOf(input?.["absolute_path"]) ??
  textOf(input?.["target_notebook"]);

/** A command as one line; a list of words is put together again as a shell would read it. */
function commandIn(fields: Fields): string {
  const command = fields["command"] ?? fields["cmd"];
  if (!Array.isArray(command)) return textOf(command) ?? "";
  return command.map((word) => quoted(String(word))).join(" ");
}

/** The files that a patch in Codex's form writes, whichever part of the input holds it. */
export const patchedFiles = (input: Fields): readonly string[] =>
  Object.values(input)
    .flat()
    .flatMap((text) =>
      typeof text === "string"
        ? [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = ""]) => path)
        : [],
    );
