import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { type Client, type ClientName, clientNames, clients, type Scope, type Site } from "./clients.ts";
import { rootOf } from "./plan.ts";
import { readReceipt } from "./receipts.ts";

/** The clients that are in use here: a trace in the project or the home, or the program on the PATH. */
export const inUse = (site: Site, which: (name: string) => string | null = Bun.which): readonly ClientName[] =>
  clientNames.filter((name) => {
    const { traces, program }: Client = clients[name];
    const places = [site.home, site.project].flatMap((folder) => traces.map((trace) => join(folder, trace)));
    return [...places, clients[name].folder(site)].some((place) => existsSync(place)) || which(program) !== null;
  });

/** Whether one of the client's shared files holds our entries. */
export function isInstalled(client: ClientName, site: Site): boolean {
  return clients[client].targets(site).some((target) => {
    if (target.kind !== "edit" || !existsSync(target.file)) return false;
    try {
      const text = readFileSync(target.file, "utf8");
      return target.editor.remove(text, undefined) !== text;
    } catch {
      // A file that is not well formed holds nothing that works.
      return false;
    }
  });
}

/** Everything that would make hooks fire twice, or not at all, in words. */
export function doubles(client: ClientName, site: Site, state: string): readonly string[] {
  const found: string[] = [];
  const other: Site = { ...site, scope: site.scope === "user" ? "project" : "user" };
  if (site.home !== site.project && isInstalled(client, other))
    found.push(
      `gestalt is already in the ${nameOf(other.scope)} settings of ${clients[client].title}; with both, its hooks may run twice (gestalt uninstall ${client} --${other.scope})`,
    );
  if (client === "claude" && hasPlugin(site))
    found.push(
      "the gestalt plugin is enabled in Claude Code; with settings besides it every hook runs twice (claude plugin uninstall gestalt@gestalt, or gestalt uninstall claude)",
    );
  const twin = client === "cursor" ? "claude" : client === "claude" ? "cursor" : undefined;
  if (
    twin !== undefined &&
    (isInstalled(twin, site) || readReceipt(state, twin, site.scope, rootOf(twin, site)) !== undefined)
  )
    found.push(
      "Cursor can load Claude Code's hooks and skills too (third-party hooks): switch that off there, or its hooks run twice",
    );
  return found;
}

const nameOf = (scope: Scope): string => (scope === "user" ? "user's" : "project's");

/** Whether Claude Code's settings enable a plugin called gestalt. */
export function hasPlugin({ folders, project }: Site): boolean {
  const files = [folders.claude, join(project, ".claude")].flatMap((folder) =>
    ["settings.json", "settings.local.json"].map((name) => join(folder, name)),
  );
  return files.some((file) => {
    if (!existsSync(file)) return false;
    const settings: unknown = parse(readFileSync(file, "utf8"));
    if (typeof settings !== "object" || settings === null || !("enabledPlugins" in settings)) return false;
    const enabled = settings.enabledPlugins;
    return (
      typeof enabled === "object" &&
      enabled !== null &&
      Object.entries(enabled).some(([name, on]) => /^gestalt@/.test(name) && on !== false)
    );
  });
}
