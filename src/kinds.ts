import { delimiter } from "node:path";

/** What a value may be. One reading of it serves flags, variables, keys of a file, and the arguments of commands. */
export type Rule =
  | { readonly kind: "integer" | "number"; readonly range: readonly [min: number, max: number] }
  | {
      readonly kind: "choice";
      readonly options: readonly string[];
      readonly synonyms?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "boolean" | "text" | "path" | "list" };

export type Value = string | number | boolean | readonly string[];

/** The type that a rule's values have. */
export type ValueOf<R> = R extends { readonly kind: "integer" | "number" }
  ? number
  : R extends { readonly kind: "choice"; readonly options: readonly (infer Option)[] }
    ? Option
    : R extends { readonly kind: "boolean" }
      ? boolean
      : R extends { readonly kind: "list" }
        ? readonly string[]
        : string;

const switches: ReadonlyMap<string, boolean> = new Map([
  ...["on", "true", "yes", "1"].map((word) => [word, true] as const),
  ...["off", "false", "no", "0"].map((word) => [word, false] as const),
]);

const integer = /^[+-]?\d+(\.0+)?$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads one value as written. Space around it is dropped; letter case counts in texts and paths only.
 *
 * @returns undefined when the rule does not allow it; a `list` gets its one member
 */
export function readValue(rule: Rule, written: string): Value | undefined {
  const text = written.trim();
  switch (rule.kind) {
    case "integer":
    case "number": {
      const value = (rule.kind === "integer" ? integer : decimal).test(text) ? Number(text) : Number.NaN;
      return value >= rule.range[0] && value <= rule.range[1] ? value : undefined;
    }
    case "choice": {
      const word = text.toLowerCase();
      const found = rule.options.find((option) => option.toLowerCase() === word);
      return found ?? (Object.hasOwn(rule.synonyms ?? {}, word) ? rule.synonyms?.[word] : undefined);
    }
    case "boolean":
      return switches.get(text.toLowerCase());
    case "list":
      return text === "" ? undefined : [text];
    default:
      return text === "" || text.includes("\0") ? undefined : text;
  }
}

/** What the rule allows, in words that follow "not". */
export function allowed(rule: Rule): string {
  switch (rule.kind) {
    case "integer":
      return `a whole number from ${rule.range[0]} to ${rule.range[1]}`;
    case "number":
      return `a number from ${rule.range[0]} to ${rule.range[1]}`;
    case "choice":
      return `one of ${rule.options.join(", ")}`;
    case "boolean":
      return "on or off";
    default:
      return rule.kind === "text" ? "a text" : "a path";
  }
}

/** A short form of what the rule allows, for help screens. */
export function hint(rule: Rule): string {
  if (rule.kind === "integer" || rule.kind === "number") return `${rule.range[0]}..${rule.range[1]}`;
  if (rule.kind === "choice") return rule.options.join("|");
  return rule.kind === "boolean" ? "on|off" : rule.kind === "list" ? "path" : rule.kind;
}

/** One value that the rule allows, to show in an error. */
export function example(rule: Rule): string {
  if (rule.kind === "integer" || rule.kind === "number") return String(rule.range[0]);
  if (rule.kind === "choice") return rule.options[0] ?? "";
  return rule.kind === "boolean" ? "on" : rule.kind === "text" ? "TEXT" : "PATH";
}

/** A value as it would be typed. */
export const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(delimiter)
    : typeof value === "boolean"
      ? value
        ? "on"
        : "off"
      : String(value ?? "");
