import { existsSync, readFileSync } from "node:fs";
import type { Finding } from "../../engine/doctor.ts";
import { messageOf } from "../../errors.ts";
import { type Client, type ClientName, clientNames, clients, type Scope, type Site, type Target } from "./clients.ts";
import { rootOf } from "./plan.ts";
import { readReceipt } from "./receipts.ts";
import { doubles, hasPlugin, isInstalled } from "./survey.ts";

/** Milliseconds a registered program has to tell its version. */
const patience = 5000;

/** What is registered with each client, in the project and for the user, and whether it runs: it is run. */
export function examineClients(site: Site, state: string): Finding[] {
  const scopes: readonly Scope[] = site.home === site.project ? ["user"] : ["project", "user"];
  const found = clientNames.flatMap((client) =>
    scopes
      .map((scope) => ({ ...site, scope }))
      .filter(
        (place) =>
          isInstalled(client, place) || readReceipt(state, client, place.scope, rootOf(client, place)) !== undefined,
      )
      .map((place) => examine(client, place, state)),
  );
  // The plugin brings its own hooks and server: whoever has it needs no installation.
  if (hasPlugin(site) && found.every(({ about }) => !about.startsWith(clients.claude.title)))
    found.unshift({
      about: `${clients.claude.title}, plugin`,
      state: "ok",
      says: `the gestalt plugin is enabled; needs ${clients.claude.needs}`,
    });
  return found.length > 0
    ? found
    : [{ about: "clients", state: "note", says: "none is set up here", mend: "gestalt install" }];
}

function examine(name: ClientName, given: Site, state: string): Finding {
  const client: Client = clients[name];
  // Whether guard and audit are wanted is what the installation said.
  const { guard = false, audit = false } = readReceipt(state, name, given.scope, rootOf(name, given)) ?? {};
  const site = { ...given, guard, audit };
  const about = `${client.title}, ${site.scope}`;
  const mend = `gestalt install ${name}${site.scope === "user" ? " --user" : ""}`;
  const edits = client.targets(site).filter((target) => target.kind === "edit");
  const programs = [...new Set(edits.flatMap(({ file }) => programsIn(textOf(file))))];
  const bad = programs.map((program) => ({ program, why: whyNot(program) })).find(({ why }) => why !== undefined);
  if (bad !== undefined) return { about, state: "broken", says: `${bad.program} does not run: ${bad.why}`, mend };
  const missing = edits.filter((target) => !holds(target)).map(({ what, file }) => `${what} in ${file}`);
  if (missing.length > 0) return { about, state: "broken", says: `not as it should be: ${missing.join(", ")}`, mend };
  const double = doubles(name, site, state);
  const says = `${edits.map(({ what }) => what).join(", ")}: registered and running (${programs.join(", ")}); needs ${client.needs}`;
  return double.length === 0
    ? { about, state: "ok", says }
    : { about, state: "note", says: `${says}. But ${double.join("; ")}` };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

function holds(target: Extract<Target, { kind: "edit" }>): boolean {
  try {
    return target.editor.has(textOf(target.file).replace(/^\ufeff/, ""));
  } catch {
    return false;
  }
}

/** The programs that a settings file starts for us, as it names them. */
function programsIn(text: string): readonly string[] {
  const lines = [...text.matchAll(/"?\bcommand"?\s*[:=]\s*("(?:[^"\\\n]|\\.)*")/g)].map(([, json = '""']) =>
    stringIn(json),
  );
  return lines
    .map((line) =>
      line.replace(/ hook [a-z-]+$/, "").replace(/^'(.*)'$|^"(.*)"$/, (_, single, double) => single ?? double),
    )
    .filter((program) => /(^|[\\/])gestalt(-[a-z0-9-]+)?(\.exe)?$/i.test(program));
}

function stringIn(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return "";
  }
}

/** Why a program does not tell its version; undefined when it does. */
function whyNot(program: string): string | undefined {
  try {
    const run = Bun.spawnSync([program, "--version"], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: patience,
    });
    return run.exitCode === 0 && /^\d+\.\d+/.test(run.stdout.toString()) ? undefined : `it exited with ${run.exitCode}`;
  } catch (error) {
    return messageOf(error);
  }
}
