import { judgeTree } from "./delete.ts";
import type { Ground } from "./places.ts";
import { ask, deny, gravest, type Verdict } from "./verdict.ts";
import { unknown } from "./words.ts";

type Shell = (text: string) => Verdict | undefined;

export const isPowerShell = (program: string): boolean => /^(pwsh|powershell|cmd)$/i.test(program);

/**
 * What stands against a line of PowerShell or cmd. There is no grammar for them here: a line is cut at `;`, `|`, `&` and line ends, and
 * what deletes, formats or loads is looked for in each part. Everything else is judged as if it were typed into a shell.
 *
 * @param args the words behind `pwsh` or `cmd`, or a line as one word
 * @param shell judges a text as a shell script
 */
export function judgePowerShell(args: readonly string[], ground: Ground, shell: Shell): Verdict | undefined {
  if (args.some((word) => /^-e(nc|ncodedcommand|c)?$/i.test(word)))
    return ask("download", "runs text that is decoded first");
  const at = args.findIndex((word) => /^(-c(ommand)?|\/[ck])$/i.test(word));
  if (at < 0 && args.some((word) => /^-f(ile)?$/i.test(word) || word.endsWith(".ps1"))) return undefined;
  const words = at < 0 ? args.filter((word) => !/^-(no|ex|window|version)/i.test(word)) : args.slice(at + 1);
  return judgePowerLine(words.join(" "), ground, shell);
}

const removers = /^(remove-item|ri|rm|rmdir|rd|del|erase|clear-content|clc)$/i;
const devices = /^(format-volume|clear-disk|initialize-disk|remove-partition|format)$/i;
const power = /^(stop-computer|restart-computer)$/i;
const loads = /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|downloadstring|downloadfile)\b/i;
const runs = /\b(iex|invoke-expression)\b/i;

/** One line, or several. */
export function judgePowerLine(text: string, ground: Ground, shell: Shell): Verdict | undefined {
  if (loads.test(text) && runs.test(text)) return deny("download", "runs what comes from the internet, unseen");
  const parts = (text.match(/(?:"[^"]*"|'[^']*'|[^;|&\n"'])+/g) ?? []).map((part) => part.trim()).filter(Boolean);
  return gravest(
    parts.map((part) => {
      const [program = "", ...rest] = (part.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
        word.replace(/["']/g, ""),
      );
      if (devices.test(program)) return deny("device", "overwrites a disk");
      if (power.test(program)) return ask("machine", "stops the machine");
      if (!removers.test(program)) return shell(part.replace(/(?<![\\])\\/g, "\\\\"));
      const all = rest.some((word) => /^-r(e(c(u(r(s(e)?)?)?)?)?)?$|^-rf$|^-fr$|^\/s$/i.test(word));
      const paths = rest.filter((word) => !/^[-/][a-z]+$/i.test(word)).flatMap((word) => word.split(","));
      return all ? gravest(paths.map((path) => judgeTree(placed(path, ground), ground))) : undefined;
    }),
  );
}

/** A path with what is known of PowerShell's and cmd's variables put in. */
const placed = (path: string, { home, cwd }: Ground): string =>
  path
    .replace(/^(~|\$home|\$env:(userprofile|home)|%userprofile%)(?=$|[\\/])/i, home)
    .replace(/^(\$pwd|%cd%)(?=$|[\\/])/i, cwd)
    .replace(/^(\$env:(systemroot|windir|programfiles)|%(systemroot|windir|programfiles)%)/i, "C:\\Windows")
    .replace(/\$(env:)?\w+|%\w+%/g, unknown);
