import { stripVTControlCharacters } from "node:util";
import { type ArgDef, type ArgsDef, renderUsage } from "citty";
import { hint, type Rule, shown } from "../kinds.ts";
import { type Knob, knobs } from "../knobs.ts";
import { type KnobName, variableOf } from "../settings.ts";
import type { Arg } from "./arguments.ts";
import type { Command, Group } from "./command.ts";
import { inColour } from "./terminal.ts";

/** Help that was asked for, on stdout. citty is loaded here and nowhere else. Of the knobs, only those of every day are listed. */
export async function showHelp(found: Command | Group, path: string, version: string): Promise<void> {
  const meta = { name: path, description: found.description, version };
  const own = "commands" in found ? found.otherwise : found;
  const help: ArgDef = { type: "boolean", alias: "h", description: "this page" };
  const args: ArgsDef = { ...Object.fromEntries(own === undefined ? [] : helpOf(own)), help };
  const usage = await renderUsage({ meta, args, ...("commands" in found && { subCommands: await summaries(found) }) });
  const rare = own !== undefined && "knobs" in own && own.knobs.some(isRare);
  const text = rare
    ? `${usage.trimEnd()}

Other settings are flags of this command too: gestalt settings
`
    : usage;
  console.log(inColour() ? text : stripVTControlCharacters(text).replace(/ +$/gm, ""));
}

const summaries = async (parent: Group) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(parent.commands).map(async ([name, load]) => {
        const { description } = (await load()).default;
        return [name, { meta: { name, description } }] as const;
      }),
    ),
  );

const helpOf = ({ args, knobs: names }: Command): readonly (readonly [string, ArgDef])[] => [
  ...Object.entries(args).map(([name, arg]) => helpOfArg(name, arg)),
  ...names
    .filter((name) => !isRare(name))
    .map((name) => [name, helpOfRule(knobs[name], knobHelp(name, knobs[name]))] as const),
];

const isRare = (name: KnobName): boolean => {
  const knob: Knob = knobs[name];
  return knob.rare === true;
};

function helpOfArg(name: string, arg: Arg): readonly [string, ArgDef] {
  if (arg.kind !== "positional") return [name, helpOfRule(arg, arg.description)];
  const { description, required = false, many } = arg;
  return [many ? `${name}...` : name, { type: "positional", description, required }];
}

const helpOfRule = (rule: Rule, description: string): ArgDef =>
  rule.kind === "boolean" ? { type: "boolean", description } : { type: "string", description, valueHint: hint(rule) };

function knobHelp(name: string, knob: Knob): string {
  const fallback = shown(knob.fallback);
  return `${knob.meaning} (${fallback && `default ${fallback}; `}${variableOf(name, knob)})`;
}
