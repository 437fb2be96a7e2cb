import { version } from "../../package.json";
import type { Finding } from "../engine/doctor.ts";
import { GestaltError } from "../errors.ts";
import { shown } from "../kinds.ts";
import {
  allKnobs,
  type Config,
  configNotices,
  type Flags,
  idleVariables,
  liveKnobs,
  resolveKnob,
  resolveSettings,
  stateDir,
  unknownVariables,
  variableOf,
} from "../settings.ts";
import { command } from "./command.ts";
import { printable } from "./failure.ts";
import { findNotes, noteKnobs } from "./find-notes.ts";
import { siteOf } from "./site.ts";

export default command({
  name: "doctor",
  description: "Look at every part, and say what is broken and how to mend it",
  args: {
    deep: { kind: "boolean", description: "read every page of the index and the vectors, and hash the fetched models" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    const findings = await examineAll(flags, args.deep);
    const broken = findings.filter(({ state }) => state === "broken").length;
    if (args.json) console.log(JSON.stringify({ ok: broken === 0, findings }));
    else for (const finding of findings) console.log(lineOf(finding));
    return broken > 0 ? 1 : 0;
  },
});

async function examineAll(flags: Flags, deep: boolean): Promise<Finding[]> {
  const [{ broken, examineModel, examineNotes, examineParts }, { shelves }] = await Promise.all([
    import("../engine/doctor.ts"),
    import("../engine/place.ts"),
  ]);
  const { platform, arch } = process;
  const found: Finding[] = [
    { about: "program", state: "ok", says: `gestalt ${version} with Bun ${Bun.version}, for ${platform} ${arch}` },
    ...(await examineParts()),
  ];
  let config: Config | undefined;
  try {
    const notes = await findNotes(flags);
    config = notes.config;
    found.push(await examineModel(notes.place, notes.settings));
    found.push(...(await examineNotes(notes.place, notes.settings, deep)));
  } catch (error) {
    const { vault, ...settings } = resolveSettings({ flags }, noteKnobs).values;
    found.push(await examineModel(shelves(undefined, process.cwd()), settings));
    const finding = broken("notes", error, "gestalt search --vault FOLDER WORDS");
    // Where there are no notes, and none were named, nothing is broken.
    const none = error instanceof GestaltError && error.code === "no-vault" && vault.length === 0;
    found.push(none ? { ...finding, state: "note" } : finding);
  }
  if (deep) found.push(...(await examineWeights()));
  const { examineClients } = await import("../agents/install/examine.ts");
  const site = siteOf();
  return [...found, ...examineClients(site, stateDir()), ...examineSettings(flags, config)];
}

/** The fetched and imported models, hashed anew. */
async function examineWeights(): Promise<Finding[]> {
  const { openShelf } = await import("./model/shelf.ts");
  const shelf = await openShelf();
  const found: Finding[] = [];
  for (const { id, dtype, state } of shelf.list()) {
    if (state !== "present" && state !== "partial") continue;
    const bad = (await shelf.verify({ id, dtype })).filter(({ problem }) => problem !== undefined);
    found.push(
      bad.length === 0
        ? { about: "weights", state: "ok", says: `${id} ${dtype}, as they should be` }
        : {
            about: "weights",
            state: "broken",
            says: `${id} ${dtype}: ${bad.map(({ path, problem }) => `${path}: ${problem}`).join("; ")}`,
            mend: `gestalt model get ${id} --dtype ${dtype}`,
          },
    );
  }
  return found;
}

/** Settings that are not the defaults, bad ones, and variables and keys without effect. */
function examineSettings(flags: Flags, config: Config | undefined): Finding[] {
  const set = allKnobs
    .filter(([name]) => liveKnobs.some((live) => live === name))
    .flatMap(([name, knob]): Finding[] => {
      try {
        const { value, origin } = resolveKnob(name, knob, { flags, config });
        if (origin === "default") return [];
        const from = origin === "variable" ? variableOf(name, knob) : origin === "file" ? config?.file : `--${name}`;
        return [{ about: "setting", state: "ok", says: `${name} is ${shown(value)}, by ${from}` }];
      } catch (error) {
        const says = error instanceof Error ? error.message : String(error);
        return [{ about: "setting", state: "broken", says, mend: "gestalt settings" }];
      }
    });
  const lines = [
    ...unknownVariables().map(({ name, near }) => `variable ${name} is unknown${near ? `; is ${near} meant?` : ""}`),
    ...idleVariables(),
    ...(config === undefined ? [] : configNotices(config)),
  ];
  return [...set, ...lines.map((says): Finding => ({ about: "setting", state: "note", says }))];
}

function lineOf({ about, state, says, mend }: Finding): string {
  const line = `${state.padEnd(6)}  ${about.padEnd(12)}  ${printable(says)}`;
  return mend === undefined ? line : `${line}\n${" ".repeat(22)}try: ${printable(mend)}`;
}
