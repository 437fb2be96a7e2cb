import type { ParameterExpansionPart, Word, WordPart } from "unbash";
import type { Ground } from "./places.ts";

/** Stands for text that nobody can know before the command runs, and that may be empty. */
export const unknown = "\ufffc";
/** Stands for text that is not known either, and that the script itself has made: the output of a command, a value it has set. */
export const made = "\ufffb";

/** What words are read with. `variables` holds what the script has assigned so far. */
export type Scope = Ground & { readonly variables: ReadonlyMap<string, string> };

const most = 64;

/** The words that one word of a command line becomes: its quotes taken off, braces and what is known of variables put in. */
export function expand(word: Word, scope: Scope): readonly string[] {
  const whole =
    word.parts === undefined ? [tilde(word.value, word.text, scope)] : expandParts(word.parts, word.text, scope);
  return whole.slice(0, most);
}

function expandParts(parts: readonly WordPart[], text: string, scope: Scope): readonly string[] {
  let words = [""];
  for (const [i, part] of parts.entries()) {
    const options = part.type === "BraceExpansion" ? braces(part.text, scope) : [textOf(part, scope)];
    const written = i === 0 && part.type === "Literal" ? options.map((option) => tilde(option, text, scope)) : options;
    words = words.flatMap((word) => written.map((option) => word + option)).slice(0, most);
  }
  return words;
}

/** A leading `~`, when it is not quoted, is the home folder; another user's is unknown. */
function tilde(value: string, text: string, { home }: Scope): string {
  if (!text.startsWith("~")) return value;
  const [, user = "", rest = ""] = /^~([^/]*)(.*)$/s.exec(value) ?? [];
  return user === "" ? home + rest : `/home/${user}${rest}`;
}

function textOf(part: WordPart, scope: Scope): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((inner) => textOf(inner, scope)).join("");
    case "SimpleExpansion":
      return variable(part.text.slice(1), scope);
    case "ParameterExpansion":
      return parameter(part, scope);
    case "CommandExpansion":
      return outputOf(part.text, scope);
    case "ArithmeticExpansion":
      return made;
    case "ProcessSubstitution":
      return `/dev/fd/${made}`;
    default:
      return part.text;
  }
}

function variable(name: string, { cwd, home, project, variables }: Scope): string {
  const set = variables.get(name);
  if (set !== undefined) return set;
  if (name === "HOME") return home;
  if (name === "PWD" || name === "OLDPWD") return cwd;
  if (name === "CLAUDE_PROJECT_DIR" || name === "CURSOR_PROJECT_DIR") return project;
  if (name === "TMPDIR") return "/tmp";
  if (name === "IFS") return " ";
  return unknown;
}

function parameter({ parameter: name, operation, prefix }: ParameterExpansionPart, scope: Scope): string {
  const value = prefix === undefined ? variable(name, scope) : made;
  if (operation === undefined) return value;
  // A part of a folder that the script did not name itself may be any folder above it.
  if (operation.type !== "Default") return value === unknown || !scope.variables.has(name) ? unknown : made;
  // `${x:?}` stops the script when x is empty.
  if (operation.operator.endsWith("?")) return value === unknown ? made : value;
  if (operation.operator.endsWith("+")) return expand(operation.operand, scope).join(" ");
  return value === unknown ? expand(operation.operand, scope).join(" ") : value;
}

/** What a substitution puts out, for the few commands whose answer is a place. */
function outputOf(text: string, { cwd, home, root }: Scope): string {
  const command = text.replace(/^\$\(|^`|\)$|`$/g, "").trim();
  if (/^pwd( -[LP])?$/.test(command)) return cwd;
  if (command === "git rev-parse --show-toplevel") return root;
  if (/^(echo|printf) ["']?(~|\$HOME|\$\{HOME\})\/?["']?$/.test(command)) return home;
  const [, plain] = /^(?:echo|printf) ["']?([\w./-]+)["']?$/.exec(command) ?? [];
  return plain ?? (makers.test(command) ? made : unknown);
}

/** Programs whose output names what is new, or a part of the project. */
const makers = /^(mktemp|git|find|fd|rg|grep|basename|date|uuidgen|whoami|hostname|id|uname)\b/;

/** `{a,b}` as its members, nested ones too; a range counts as made. */
function braces(text: string, scope: Scope): readonly string[] {
  const inside = text.slice(1, -1);
  const members: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [i, sign] of [...inside].entries()) {
    if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (sign === "," && depth === 0) {
      members.push(inside.slice(from, i));
      from = i + 1;
    }
  }
  members.push(inside.slice(from));
  if (members.length === 1) return [made];
  return members.flatMap((member) => {
    if (member.startsWith("{") && member.endsWith("}")) return braces(member, scope);
    return [member.replace(/^\$HOME|^\$\{HOME\}|^~(?=\/|$)/, scope.home).replaceAll(/["']/g, "")];
  });
}
