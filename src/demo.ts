import { join } from "node:path";

// What `npm start` shows: the sample notes indexed and asked, as a user would see it.

const root = join(import.meta.dir, "..");
const shelf = join("node_modules", ".cache", "demo");

/** Shows the command as a user would type it, then runs it, with all that it keeps inside this checkout. */
async function show(why: string, command: string, words: readonly string[]): Promise<void> {
  const typed = words.map((word) => (/^[\w#.^-]+$/.test(word) ? word : `"${word}"`));
  console.log(`# ${why}\n$ gestalt ${[command, ...typed].join(" ")}`);
  const argv = [process.execPath, "src/cli.ts", command, "--vault", "knowledge", "--search-dir", shelf, ...words];
  const code = await Bun.spawn(argv, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exited;
  if (code !== 0) process.exitCode = code;
  console.log();
}

console.log("The sample notes in knowledge/: found without being named, since this folder holds them.\n");
await show("take the notes in: words first, then meaning", "index", []);
await show("a question in the words of a note", "search", ["merge two ranked lists", "--limit", "2"]);
await show("a question in words that no note has", "search", ["mail was held up for an hour, why", "--limit", "2"]);
await show("one section, as it stands on disk", "read", ["merging-ranked-lists#^choice"]);
