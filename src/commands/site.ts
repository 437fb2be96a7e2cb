import { type ClientName, clientNames, type Scope, type Site } from "../agents/install/clients.ts";
import { ownProgram } from "../agents/install/command.ts";
import type { Extras } from "../agents/install/manifests.ts";
import { GestaltError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { clientFolders, homeDir, settingsHome } from "../settings.ts";

/** Where an installation goes, as the flags say: into the project that this is run in, unless `--user` is given. */
export function siteOf(
  flags: { readonly project: boolean; readonly user: boolean } & Partial<Extras> = { project: false, user: false },
): Site {
  if (flags.project && flags.user)
    throw new GestaltError("usage", "--project and --user exclude each other", "gestalt install --user");
  const scope: Scope = flags.user ? "user" : "project";
  return {
    scope,
    project: process.cwd(),
    home: homeDir(),
    folders: clientFolders(),
    settings: settingsHome(),
    program: ownProgram(),
    guard: flags.guard ?? false,
    audit: flags.audit ?? false,
  };
}

/** The clients that were named. Throws GestaltError "usage" for a name that is none. */
export function clientsNamed(names: readonly string[]): readonly ClientName[] {
  return [...new Set(names)].map((name) => {
    const known = clientNames.find((client) => client === name.toLowerCase());
    if (known !== undefined) return known;
    const [near] = nearest(name, clientNames);
    throw new GestaltError(
      "usage",
      `there is no client ${name}; there are ${clientNames.join(", ")}`,
      `gestalt install ${near ?? clientNames[0]}`,
    );
  });
}
