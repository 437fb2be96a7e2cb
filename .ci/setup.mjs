// Makes node_modules what bun.lock says, Bun itself among it. Runs under Node alone, before anything is installed; quick when
// there is nothing to do, and then without a network.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { bun: version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies;
const bun = join(root, "node_modules", "bun", "bin", "bun.exe"); // so named on every system

const run = (program, args, shell = false) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: "utf8", shell });
  return { done: status === 0, said: error?.message ?? `${stdout}${stderr}`.trim() };
};
const bunWorks = () => run(bun, ["--version"]).said === version;

const install = ["install", "--frozen-lockfile"];
const npx = ["--yes", `bun@${version}`, ...install];
// npx is a script on Windows, which only a shell starts.
const { done, said } = bunWorks() ? run(bun, install) : run("npx", npx, process.platform === "win32");
if (done && !bunWorks()) run(process.execPath, [join(root, "node_modules", "bun", "install.js")]);
if (!done || !bunWorks()) {
  console.error(
    `${said}\nsetup: could not install Bun ${version} and the packages of bun.lock; is the npm registry within reach?`,
  );
  process.exit(1);
}
