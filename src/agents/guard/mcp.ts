import { judgeSql } from "./sql.ts";
import { ask, gravest, type Verdict } from "./verdict.ts";

const sqlFields = /^(sql|statements?)$/i;
/** Fields that hold SQL when the tool's name speaks of a database, and words to search for otherwise. */
const queryFields = /^(query|queries|command|text)$/i;
const database = /sql|quer(y|ies)|execute|database|postgres|sqlite|snowflake|duckdb|(^|[_-])db([_-]|$)/i;
const destructive = /(^|[_-])(delete|remove|drop|destroy|clear|purge|wipe|truncate|reset|terminate|uninstall)([_-]|$)/i;
const readOnly = /(^|[_-])(list|get|read|search|describe|find|status)([_-]|$)/i;

/**
 * What stands against a call of an MCP tool: SQL in its fields, and a name that says it deletes.
 *
 * @param tool `mcp__server__tool`, or the bare name of the tool
 */
export function judgeMcp(tool: string, input: Readonly<Record<string, unknown>>): Verdict | undefined {
  const name = tool.split("__").at(-1) ?? tool;
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  const texts = Object.entries(input).flatMap(([key, value]) =>
    sqlFields.test(key) || (queryFields.test(key) && database.test(words) && !readOnly.test(words))
      ? [value].flat().filter((item) => typeof item === "string")
      : [],
  );
  const scaled = [input["replicas"], input["count"], input["desired"]].some((value) => value === 0 || value === "0");
  return gravest([
    ...texts.map(judgeSql),
    scaled && /scale/i.test(name) ? ask("mcp", `${name} scales to nothing`) : undefined,
    destructive.test(words) && !readOnly.test(words) ? ask("mcp", `${name} deletes, by its name`) : undefined,
  ]);
}
