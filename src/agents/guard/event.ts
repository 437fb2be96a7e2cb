import { type Fields, objectIn, recordOf, textOf } from "../hooks/input.ts";
import { judgeWrite } from "./files.ts";
import { judgeMcp } from "./mcp.ts";
import { type Ground, groundAt } from "./places.ts";
import { judgePowerLine } from "./powershell.ts";
import { judgeShell } from "./shell.ts";
import { ask, gravest, type Own, type Verdict } from "./verdict.ts";

type Client = "claude" | "codex" | "cursor" | "gemini";

/** Longer command lines are not read; nobody types them. Characters. */
const longest = 100_000;

/**
 * Answers a client's question before a tool is used.
 *
 * @param stdin what the client wrote: the JSON of PreToolUse (Claude Code, Codex), BeforeTool (Gemini CLI),
 *   beforeShellExecution, beforeMCPExecution or preToolUse (Cursor)
 * @param ground home, folders of settings, and the folder to take when the client names none
 * @returns one line of JSON, or "" when there is nothing to say
 */
export function answer(stdin: string, ground: Pick<Ground, "cwd" | "home" | "settings">, own: Own): string {
  const fields = objectIn(stdin);
  if (fields === undefined) return "";
  const roots = fields["workspace_roots"];
  const cwd = textOf(fields["cwd"]) ?? (Array.isArray(roots) ? textOf(roots[0]) : undefined) ?? ground.cwd;
  const verdict = judgeCall(fields, groundAt(cwd, ground.home, ground.settings), own);
  return shaped(verdict, clientOf(fields), own.fault);
}

function clientOf(fields: Fields): Client {
  if (fields["conversation_id"] !== undefined || fields["cursor_version"] !== undefined) return "cursor";
  if (fields["hook_event_name"] === "BeforeTool") return "gemini";
  return fields["turn_id"] === undefined ? "claude" : "codex";
}

const shellTools = /^(Bash|Shell|shell|local_shell|exec_command|run_shell_command|shell_command|unified_exec)$/;
const writeTools = /^(Write|Edit|MultiEdit|NotebookEdit|Delete|write_file|replace|edit_file)$/;

function judgeCall(fields: Fields, ground: Ground, own: Own): Verdict | undefined {
  const tool = textOf(fields["tool_name"]) ?? "";
  const input = recordOf(fields["tool_input"]) ?? objectIn(textOf(fields["tool_input"]) ?? "") ?? {};
  const event = fields["hook_event_name"];
  if (event === "beforeShellExecution" || shellTools.test(tool))
    return judgeLine(commandIn(event === "beforeShellExecution" ? fields : input), ground, own);
  if (tool === "PowerShell") {
    const shell = (part: string) => judgeLine(part, ground, own);
    return judgePowerLine(commandIn(input), ground, shell);
  }
  if (writeTools.test(tool)) {
    const path = textOf(input["file_path"]) ?? textOf(input["notebook_path"]) ?? textOf(input["path"]);
    return path === undefined ? undefined : judgePath(path, ground, own);
  }
  if (tool === "apply_patch") {
    const patch = Object.values(input)
      .flat()
      .filter((value) => typeof value === "string")
      .join("\n");
    return gravest(
      [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = ""]) =>
        judgePath(path, ground, own),
      ),
    );
  }
  if (event !== "beforeMCPExecution" && !/^mcp_/.test(tool)) return undefined;
  const said = own.judge("tool", tool);
  return said === "allow" ? undefined : gravest([said, judgeMcp(tool, input)]);
}

/** A command as one line; a list of words is put together again as a shell would read it. */
function commandIn(fields: Fields): string {
  const command = fields["command"] ?? fields["cmd"];
  if (!Array.isArray(command)) return textOf(command) ?? "";
  return command.map((word) => `'${String(word).replaceAll("'", `'\\''`)}'`).join(" ");
}

function judgeLine(line: string, ground: Ground, own: Own): Verdict | undefined {
  if (line.length > longest) return ask("length", "a command line too long to be read");
  return judgeShell(line, ground, (argv) => own.judge("command", argv.join(" ")));
}

function judgePath(path: string, ground: Ground, own: Own): Verdict | undefined {
  const said = own.judge("path", path);
  return said === "allow" ? undefined : gravest([said, judgeWrite(path, ground)]);
}

/** A verdict in the client's words. Where a client cannot ask, a question is a refusal that says whom to ask. */
function shaped(verdict: Verdict | undefined, client: Client, fault: string | undefined): string {
  const notice = fault === undefined ? {} : { systemMessage: `gestalt: ${fault}` };
  if (verdict === undefined) return fault === undefined || client !== "claude" ? "" : JSON.stringify(notice);
  const { decision, reason } = verdict;
  const said = `gestalt guard: ${reason}.`;
  const refused = decision === "deny" ? said : `${said} Ask the person to do it, or to allow it.`;
  switch (client) {
    case "cursor":
      return JSON.stringify({ permission: decision, user_message: said, agent_message: refused });
    case "gemini":
      return JSON.stringify({ decision: "deny", reason: refused });
    default:
      return JSON.stringify({
        ...notice,
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: client === "codex" ? "deny" : decision,
          permissionDecisionReason: client === "codex" ? refused : said,
        },
      });
  }
}
