import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { messageOf } from "../../errors.ts";
import { noRules, type Own, type Subject, type Verdict } from "./verdict.ts";

const decisions = ["deny", "ask", "allow"] as const;
const subjects: readonly Subject[] = ["command", "path", "tool"];

type Rule = { readonly subject: Subject; readonly pattern: RegExp; readonly verdict: Verdict | "allow" };

/**
 * Reads a rules file. It lists patterns under `deny`, `ask` and `allow`; the first that fits counts, in that order:
 *
 *     deny:
 *       - command: git push * --no-verify
 *         reason: the checks must run
 *     allow:
 *       - command: rm -rf ./dist
 *       - path: "* /.env.local"
 *
 * `*` stands for any text. A `command` is matched against one simple command, its words joined by spaces; a `path` against a
 * file an editor's tool writes; a `tool` against the name of an MCP tool. What is allowed excuses no other command of the line.
 */
export function readOwnRules(file: string): Own {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return noRules;
  }
  try {
    const rules = rulesIn(parse(text, { maxAliasCount: 0 }));
    return {
      judge: (subject, about) => rules.find((rule) => rule.subject === subject && rule.pattern.test(about))?.verdict,
      fault: undefined,
    };
  } catch (error) {
    return { ...noRules, fault: `${file} was passed over: ${messageOf(error).split("\n")[0]}` };
  }
}

function rulesIn(parsed: unknown): readonly Rule[] {
  if (parsed === null || parsed === undefined) return [];
  if (typeof parsed !== "object" || Array.isArray(parsed))
    throw new Error("it holds no lists under deny, ask or allow");
  const lists = new Map<string, unknown>(Object.entries(parsed));
  const stray = [...lists.keys()].find((key) => !decisions.some((decision) => decision === key));
  if (stray !== undefined) throw new Error(`"${stray}" is not deny, ask or allow`);
  return decisions.flatMap((decision) => {
    const list = lists.get(decision) ?? [];
    if (!Array.isArray(list)) throw new Error(`"${decision}" is not a list`);
    return list.map((item: unknown) => ruleOf(decision, item));
  });
}

function ruleOf(decision: (typeof decisions)[number], item: unknown): Rule {
  const keys = new Map<string, unknown>(typeof item === "object" && item !== null ? Object.entries(item) : []);
  const subject = subjects.find((name) => typeof keys.get(name) === "string");
  if (subject === undefined) throw new Error(`a rule under "${decision}" names no command, path or tool`);
  const pattern = String(keys.get(subject));
  const reason = String(keys.get("reason") ?? `your own rule: ${pattern}`);
  return {
    subject,
    pattern: new RegExp(`^${pattern.split("*").map(RegExp.escape).join("[\\s\\S]*")}$`),
    verdict: decision === "allow" ? "allow" : { decision, rule: "own", reason },
  };
}
