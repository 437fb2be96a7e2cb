import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readIfThere } from "../state.ts";
import { objectIn, textOf } from "./input.ts";

/** The folder an agent works in, and what it says of itself. */
export type Project = {
  readonly root: string;
  readonly name: string;
  readonly branch: string | undefined;
};

/** The repository around a folder, or the folder itself. */
export function projectAt(cwd: string): Project {
  const folders = [resolve(cwd)];
  for (let up = dirname(folders[0]!); up !== folders.at(-1); up = dirname(up)) folders.push(up);
  const root = folders.find((folder) => statSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined);
  return { root: root ?? folders[0]!, name: basename(root ?? folders[0]!), branch: root && branchOf(root) };
}

/** In a worktree `.git` is a file that says where to look. */
function branchOf(root: string): string | undefined {
  const git = join(root, ".git");
  const elsewhere = /^gitdir: (.+)$/m.exec(readIfThere(git) ?? "")?.[1];
  const head = readIfThere(join(elsewhere === undefined ? git : resolve(root, elsewhere), "HEAD"));
  return /^ref: refs\/heads\/(.+)$/m.exec(head ?? "")?.[1];
}

/** What a project is searched for with: its name and what its README opens with; its name, branch and newest files. */
export function questionsOf({ root, name, branch }: Project): readonly string[] {
  const plain = (text: string) => text.replace(/[-_/]+/g, " ");
  const called = textOf(objectIn(readIfThere(join(root, "package.json")) ?? "")?.["name"]) ?? name;
  const names = [...new Set([plain(name), plain(called.replace(/^@[^/]+\//, ""))])].join(" ");
  const main = branch === undefined || /^(?:main|master|trunk|develop|dev)$/.test(branch);
  return [`${names} ${openingOf(root)}`, [names, main ? "" : plain(branch), ...newestIn(root)].join(" ")].map((text) =>
    text.trim(),
  );
}

const readmeNames = ["README.md", "readme.md", "Readme.md", "README"];

/** The title and the first paragraph of a README, without badges and tags. */
function openingOf(root: string): string {
  const readme = readmeNames.map((name) => readIfThere(join(root, name))).find((text) => text !== undefined) ?? "";
  return readme
    .slice(0, 20_000)
    .replace(/!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>/g, " ")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^[#=\s-]+|[=-]{3,}/gm, " ").trim())
    .filter((paragraph) => /\p{L}{3}/u.test(paragraph))
    .slice(0, 2)
    .join(" ")
    .slice(0, 400);
}

/** Files that say nothing of what is worked on. */
const everywhere =
  /^(?:\.|readme|license|package|tsconfig|bun\.lock|yarn|pnpm|cargo|go\.(?:mod|sum)|makefile|node_modules$|dist$|build$|src$|tests?$|target$)/i;

/** The names of what changed last in the project's folder, without their extensions. */
function newestIn(root: string): readonly string[] {
  try {
    return readdirSync(root)
      .filter((name) => !everywhere.test(name))
      .slice(0, 500)
      .map((name) => ({ name, at: statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.at - a.at)
      .slice(0, 3)
      .map(({ name }) => name.replace(/\.[^.]+$/, "").replace(/[-_]+/g, " "));
  } catch {
    return [];
  }
}
