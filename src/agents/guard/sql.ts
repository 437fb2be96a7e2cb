import { ask, deny, gravest, type Verdict } from "./verdict.ts";

const noise = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;

/** What stands against SQL: statements that drop, empty or overwrite whole tables. Comments and strings do not count. */
export function judgeSql(text: string): Verdict | undefined {
  const plain = text.replace(noise, (found) => (found.startsWith("'") ? "''" : " "));
  return gravest(plain.split(";").map((statement) => judgeStatement(statement.trim().replace(/\s+/g, " "))));
}

function judgeStatement(statement: string): Verdict | undefined {
  if (/\bDROP (DATABASE|SCHEMA)\b/i.test(statement)) return deny("sql", "drops a whole database or schema");
  if (/\bDROP TABLE\b/i.test(statement)) return ask("sql", "drops a table with all its rows");
  if (/^(\(?WITH .*)?TRUNCATE\b/i.test(statement)) return ask("sql", "empties a table");
  if (/\bALTER TABLE\b.*\bDROP\b/i.test(statement)) return ask("sql", "drops a column or constraint");
  if (/\bDELETE FROM\b/i.test(statement) && isForAll(statement)) return ask("sql", "deletes every row of a table");
  if (/\bUPDATE\b.+\bSET\b/i.test(statement) && isForAll(statement))
    return ask("sql", "overwrites every row of a table");
  return undefined;
}

const isForAll = (statement: string): boolean =>
  !/\bWHERE\b/i.test(statement) || /\bWHERE \(?(1 ?= ?1|TRUE|'' {1,2}= ?''|1)\)?( |$)/i.test(statement);

const clients = new Set([
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "duckdb",
  "cockroach",
  "clickhouse-client",
  "bq",
  "snowsql",
  "mongosh",
  "mongo",
  "sqlcmd",
]);

/** What stands against the SQL that a database's client is given, as words or on stdin, when that is known. */
export function judgeSqlClient(program: string, args: readonly string[], input = ""): Verdict | undefined {
  if (!clients.has(program)) return undefined;
  const texts = [...args, input];
  const empties = texts.some((text) => /\.(dropDatabase|drop|deleteMany|remove)\(\s*(\{\s*\})?\s*\)/.test(text));
  return gravest([...texts.map(judgeSql), empties ? ask("sql", "drops or empties a collection") : undefined]);
}
