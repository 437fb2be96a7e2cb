import { expect, test } from "bun:test";
import { join } from "node:path";

test("nothing reaches stdout but what is written to the stream that was taken, whole and in order", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../fixtures/noisy-server.ts")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Read late: the pipe is full meanwhile.
  await Bun.sleep(300);
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(await child.exited).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 300 }, (_, i) => i));
  for (const noise of process.platform === "linux" ? [1, 2, 3, 4] : [1, 2]) expect(stderr).toContain(`noise ${noise}`);
}, 60_000);
