import { GestaltError, messageOf } from "../errors.ts";
import { shown } from "../kinds.ts";
import type { Knob } from "../knobs.ts";
import {
  allKnobs,
  type Config,
  configNotices,
  idleVariables,
  type Origin,
  resolveKnob,
  unknownVariables,
  variableOf,
} from "../settings.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";

/** One knob as printed. `problem` stands in the place of a value that is not allowed. */
type Row = {
  readonly name: string;
  readonly variable: string;
  readonly key: string | undefined;
  readonly value: unknown;
  readonly origin: Origin | undefined;
  readonly meaning: string;
  readonly accepted: string | undefined;
  readonly problem: string | undefined;
};

export default command({
  name: "settings",
  description: "Show every setting, its value, and where it came from",
  args: {
    all: { kind: "boolean", description: "also those that have no effect here" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  async run({ args }) {
    const { findConfig } = await import("../engine/place.ts");
    const config = await findConfig(process.cwd());
    const rows = allKnobs.map(([name, knob]) => rowOf(name, knob, config));
    const unknown = unknownVariables();
    if (args.json) console.log(JSON.stringify({ file: config?.file, settings: rows, unknown }, null, 2));
    else {
      for (const row of rows) if (args.all || row.accepted === undefined) console.log(lineOf(row));
      for (const line of [...idleVariables(), ...(config === undefined ? [] : configNotices(config))]) notice(line);
      for (const { name, near } of unknown)
        notice(`unknown variable ${name}${near === undefined ? "" : `; is ${near} meant?`}`);
    }
    return rows.some(({ problem }) => problem !== undefined) ? 1 : 0;
  },
});

function rowOf(name: string, knob: Knob, config: Config | undefined): Row {
  const { meaning, accepted } = knob;
  const known = { name, variable: variableOf(name, knob), key: knob.config ? name : undefined, meaning, accepted };
  if (accepted !== undefined) return { ...known, value: undefined, origin: undefined, problem: undefined };
  try {
    return { ...known, ...resolveKnob(name, knob, { config }), problem: undefined };
  } catch (error) {
    if (!(error instanceof GestaltError)) throw error;
    return { ...known, value: undefined, origin: undefined, problem: messageOf(error) };
  }
}

function lineOf({ name, variable, value, origin, meaning, accepted, problem }: Row): string {
  const from = origin === "variable" ? variable : (origin ?? "");
  const what = problem ?? (accepted === undefined ? shown(value) || "-" : "");
  const said = `${meaning}; ${variable}${accepted === undefined ? "" : ` has no effect: ${accepted}`}`;
  return printable(`${name.padEnd(16)} ${what.padEnd(10)} ${from.padEnd(10)} ${said}`);
}
