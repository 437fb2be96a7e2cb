import {
  type Assignment,
  type Command,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { pipesInto } from "./bomb.ts";
import { expand, made, type Scope, unknown } from "./words.ts";

/** What a command reads on stdin. `text` when it stands in the script; `from` the commands before it in a pipeline. */
export type Input = { readonly text: string | undefined; readonly from: readonly Simple[] };

/** One simple command, as it would be started. `writes` are the files it redirects into. */
export type Simple = {
  readonly argv: readonly string[];
  readonly writes: readonly string[];
  readonly input: Input;
} & Scope;

/** A script taken apart. `bomb`: one of its functions starts itself without end. */
export type Script = { readonly commands: readonly Simple[]; readonly bomb: boolean };

type Walk = { scope: Scope; readonly commands: Simple[]; bomb: boolean };

/** Commands after which loops are gone through once, and variables after which no more are kept. */
const enough = 1000;

const noInput: Input = { text: undefined, from: [] };

/**
 * Every simple command of a shell script, in the order it is written: those in substitutions, subshells, loops, functions
 * and heredocs too. The working folder is followed through `cd`, variables through plain assignments.
 */
export function readScript(text: string, scope: Scope): Script {
  const walk: Walk = { scope, commands: [], bomb: false };
  visit(parse(text), walk, noInput);
  return walk;
}

function visit(node: SyntaxNode, walk: Walk, input: Input): readonly Simple[] {
  const before = walk.commands.length;
  switch (node.type) {
    case "Command":
      simple(node, walk, input);
      break;
    case "Pipeline": {
      let held = input;
      for (const command of node.commands) held = { text: undefined, from: visit(command, walk, held) };
      break;
    }
    case "Subshell": {
      const { scope } = walk;
      visit(node.body, walk, input);
      walk.scope = scope;
      break;
    }
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion": {
      const { scope } = walk;
      if (node.script !== undefined) visit(node.script, walk, noInput);
      walk.scope = scope;
      break;
    }
    case "Redirected": {
      visit(node.command, walk, inputOf(node.redirects, walk, input));
      for (const redirect of node.redirects) visit(redirect, walk, noInput);
      const writes = writesOf(node.redirects, walk.scope);
      if (writes.length > 0) walk.commands.push({ argv: [], writes, input: noInput, ...walk.scope });
      break;
    }
    case "For":
    case "Select": {
      const words = node.wordlist?.flatMap((word) => expand(word, walk.scope)) ?? [];
      for (const word of node.wordlist ?? []) visit(word, walk, noInput);
      const few = words.length > 0 && words.length <= 20;
      for (const [i, value] of (few ? words : [made]).entries()) {
        // Loops in loops multiply: when there is enough to judge, one round stands for all.
        if (i > 0 && walk.commands.length > enough) break;
        assign(walk, node.name.value, walk.commands.length > enough ? made : value);
        visit(node.body, walk, input);
      }
      break;
    }
    case "Function":
      walk.bomb ||= pipesInto(node.name.value, node.body);
      visit(node.body, walk, noInput);
      break;
    default:
      forEachChild(node, (child) => visit(child, walk, input));
  }
  return walk.commands.slice(before);
}

function assign(walk: Walk, name: string, value: string): void {
  if (walk.scope.variables.size > enough) return;
  walk.scope = { ...walk.scope, variables: new Map([...walk.scope.variables, [name, value]]) };
}

function simple(node: Command, walk: Walk, given: Input): void {
  const children = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  // What `<( )` puts out is read like what comes through a pipe.
  const piped = children.flatMap((child) => {
    const found = visit(child, walk, noInput);
    return isSubstitution(child) ? found : [];
  });
  const { scope } = walk;
  const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].flatMap((word) =>
    word.type === "Word" ? split(word, scope) : [assigned(word, scope)],
  );
  for (const part of node.prefix)
    if (part.type === "Assignment" && node.name === undefined && part.value.type === "Word") {
      const value = expand(part.value, scope).join(" ");
      assign(walk, part.name, value === unknown ? made : value);
    }
  for (const part of node.args)
    if (part.type === "Assignment" && part.value.type === "Word")
      assign(walk, part.name, expand(part.value, scope).join(" "));
  for (const part of [...node.prefix, ...node.args])
    if (part.type === "Assignment" && part.value.type === "Word" && startedLater.test(part.name))
      walk.commands.push({ argv: ["eval", ...expand(part.value, scope)], writes: [], input: noInput, ...scope });
  const writes = writesOf(node.redirects, scope);
  if (words.length === 0 && writes.length === 0) return;
  const input = piped.length > 0 ? { text: undefined, from: piped } : inputOf(node.redirects, walk, given);
  walk.commands.push({ argv: words, writes, input, ...scope });
  follow(words, walk);
}

/** Variables whose value another program starts as a command. */
export const startedLater =
  /^(GIT_(SSH_COMMAND|SSH|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS)|(MAN)?PAGER|EDITOR|VISUAL|LESSOPEN|PROMPT_COMMAND|SSH_ASKPASS|BROWSER)$/;

const isSubstitution = (node: SyntaxNode): boolean =>
  node.type === "Word" && node.parts?.some(({ type }) => type === "ProcessSubstitution") === true;

const assigned = ({ name, value, text }: Assignment, scope: Scope): string =>
  value.type === "Word" ? `${name}=${expand(value, scope).join(" ")}` : text;

/** A word that is one variable, unquoted, becomes as many words as its value has. */
function split(word: Word, scope: Scope): readonly string[] {
  const words = expand(word, scope);
  const bare =
    word.parts?.length === 1 &&
    /Expansion$/.test(word.parts[0]?.type ?? "") &&
    word.parts[0]?.type !== "BraceExpansion";
  return bare ? words.flatMap((text) => text.split(/\s+/).filter(Boolean)) : words;
}

/** `cd`, `pushd`: what follows is run there. */
function follow(words: readonly string[], walk: Walk): void {
  const [name, ...rest] = words;
  if (name !== "cd" && name !== "pushd") return;
  const target = rest.find((word) => !/^-[LPe@]*$|^--$/.test(word)) ?? walk.scope.home;
  const { cwd } = walk.scope;
  const next = target.startsWith("/")
    ? target
    : target.includes(unknown) || target.includes(made)
      ? cwd
      : `${cwd}/${target}`;
  walk.scope = { ...walk.scope, cwd: normal(next) };
}

const normal = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
};

const writesOf = (redirects: readonly Redirection[], scope: Scope): readonly string[] =>
  redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator.includes(">") && redirect.target !== undefined
      ? expand(redirect.target, scope)
      : [],
  );

function inputOf(redirects: readonly Redirection[], walk: Walk, given: Input): Input {
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") return { text: redirect.body.text, from: [] };
    if (redirect.type === "HereString" && redirect.target !== undefined)
      return { text: expand(redirect.target, walk.scope).join(" "), from: [] };
    if (redirect.type === "Redirect" && redirect.operator === "<" && redirect.target !== undefined) {
      const from: Simple[] = [];
      const inner: Walk = { scope: walk.scope, commands: from, bomb: false };
      visit(redirect.target, inner, noInput);
      return { text: undefined, from };
    }
  }
  return given;
}
