import { GestaltError } from "../../errors.ts";
import { allowed, example, readValue, type Value } from "../../kinds.ts";
import { nearest } from "../../nearest.ts";
import type { Argument, Json, Tool } from "../tools/tool.ts";

/** The JSON Schema of what a tool takes. */
export function inputSchema({ args }: Tool): Json & { readonly type: "object" } {
  const shown = Object.entries(args).filter(([, { unlisted }]) => !unlisted);
  const required = shown.flatMap(([name, argument]) => (argument.required ? name : []));
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(shown.map(([name, argument]) => [name, propertySchema(argument)])),
  };
}

function propertySchema(argument: Argument): Json {
  const rest = {
    ...(argument.description !== "" && { description: argument.description }),
    // A switch that is off unless given says nothing by saying so, in every session.
    ...(argument.fallback !== undefined && argument.fallback !== false && { default: argument.fallback }),
  };
  switch (argument.kind) {
    case "integer":
    case "number":
      return { type: argument.kind, minimum: argument.range[0], maximum: argument.range[1], ...rest };
    case "choice":
      return { type: "string", enum: argument.options, ...rest };
    case "boolean":
      return { type: "boolean", ...rest };
    case "list":
      return { type: "array", items: { type: "string" }, ...rest };
    default:
      return { type: "string", ...rest };
  }
}

/**
 * Reads the arguments of a call in the forms that clients send: numbers and switches as text, lists as text (of JSON, or
 * parted by commas), null or an empty text for what is not given.
 *
 * @throws GestaltError "usage" that names the unknown key and the nearest, the missing one, or the value and what is allowed
 */
export function readArguments(tool: Tool, given: unknown): Readonly<Record<string, Value | undefined>> {
  const { name, args, synonyms = {} } = tool;
  if (given !== undefined && given !== null && (typeof given !== "object" || Array.isArray(given)))
    throw new GestaltError("usage", `the arguments of ${name} are not an object`, usageOf(tool));
  const written = new Map<string, unknown>();
  for (const [key, value] of Object.entries(given ?? {})) {
    const known = Object.hasOwn(args, key) ? key : Object.hasOwn(synonyms, key) ? synonyms[key] : undefined;
    if (known === undefined) throw unknownKey(tool, key);
    if (value !== null && value !== undefined && (args[known]?.required || !isBlank(value))) written.set(known, value);
  }
  return Object.fromEntries(
    Object.entries(args).map(([key, argument]) => {
      const value = written.get(key);
      if (value !== undefined) return [key, read(tool, key, argument, value)];
      if (argument.required)
        throw new GestaltError(
          "usage",
          `${name} needs "${key}"${argument.description && `: ${argument.description}`}`,
          usageOf(tool),
        );
      return [key, argument.fallback];
    }),
  );
}

function read(tool: Tool, key: string, argument: Argument, written: unknown): Value {
  const value =
    argument.kind === "list" ? listOf(written) : isScalar(written) ? readValue(argument, String(written)) : undefined;
  if (value !== undefined) return value;
  const shown = JSON.stringify(written).slice(0, 80);
  const wanted = argument.kind === "list" ? "a list of texts" : allowed(argument);
  const good = argument.kind === "list" ? ["a"] : example(argument);
  throw new GestaltError(
    "usage",
    `${key} of ${tool.name} is ${shown}, not ${wanted}`,
    `${tool.name} with ${JSON.stringify({ [key]: good })}`,
  );
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

/** `["a", "b"]`, the same as text, or a text with commas between the members. Members without a sign do not count. */
function listOf(written: unknown): readonly string[] | undefined {
  if (Array.isArray(written))
    return written.every(isScalar) ? written.map((member) => String(member).trim()).filter(Boolean) : undefined;
  if (!isScalar(written)) return undefined;
  const text = String(written).trim();
  const parsed = text.startsWith("[") ? parsedList(text) : undefined;
  return listOf(parsed ?? text.split(","));
}

function parsedList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function unknownKey(tool: Tool, key: string): GestaltError {
  const [near] = nearest(key, Object.keys(tool.args));
  const meant = near === undefined ? "" : `; is "${near}" meant?`;
  return new GestaltError("usage", `${tool.name} does not take "${key.slice(0, 60)}"${meant}`, usageOf(tool));
}

const usageOf = ({ name, args }: Tool): string => {
  const names = Object.keys(args).filter((key) => !args[key]?.unlisted);
  return names.length === 0 ? `${name} without arguments` : `${name} with ${names.join(", ")}`;
};
