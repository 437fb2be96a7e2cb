import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { tryLock, waitForLock } from "../../src/store/lock.ts";

const folder = mkdtempSync(join(tmpdir(), "gestalt-lock-"));
const children: Subprocess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
const index = join(folder, "index.db");

/** Another process that takes the lock, says so, and keeps it. */
async function holder() {
  const lock = join(import.meta.dir, "../../src/store/lock.ts");
  const script = `import { tryLock } from ${JSON.stringify(lock)};
    globalThis.lock = tryLock(${JSON.stringify(index)}); // a lock that nothing refers to is collected, and free
    console.log(globalThis.lock === undefined ? "refused" : "held"); setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  return { child, said: new TextDecoder().decode(value).trim() };
}

test("one process holds the lock, and a killed one does not keep it", async () => {
  const { child, said } = await holder();
  expect(said).toBe("held");
  expect(tryLock(index)).toBeUndefined();
  let waited = 0;
  const waiting = waitForLock(index, 20_000, () => waited++);
  child.kill("SIGKILL");
  const lock = await waiting;
  expect(lock).toBeDefined();
  expect(waited).toBe(1);
  const third = await holder();
  third.child.kill("SIGKILL");
  expect(third.said).toBe("refused");
  lock?.release();
});

test("in one process too, the second to ask is refused until the first lets go", () => {
  const first = tryLock(index);
  expect(tryLock(index)).toBeUndefined();
  first?.release();
  const second = tryLock(index);
  expect(second).toBeDefined();
  second?.release();
});

test("waiting ends when the time is up", async () => {
  const lock = tryLock(index);
  expect(await waitForLock(index, 60)).toBeUndefined();
  lock?.release();
});
