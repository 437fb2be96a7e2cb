import { join } from "node:path";

// What `npm start` shows: the sample notes indexed, and one question answered, as a user would see it.

const root = join(import.meta.dir, "..");
const index = join("node_modules", ".cache", "demo.db");

/** Shows the command as a user would type it, then runs it, with the index kept inside this checkout. */
async function show(command: string, words: readonly string[]): Promise<void> {
  console.log(`$ gestalt ${[command, ...words].join(" ")}`);
  const argv = [process.execPath, "src/cli.ts", command, "--vault", "knowledge", "--db", index, ...words];
  const code = await Bun.spawn(argv, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exited;
  if (code !== 0) process.exitCode = code;
  console.log();
}

console.log("The sample notes in knowledge/, found without being named since this folder holds them.\n");
await show("index", []);
await show("search", ["merge", "two", "ranked", "lists"]);
