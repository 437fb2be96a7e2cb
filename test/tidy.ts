import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { temporary } from "./door.ts";

// Loaded before all tests (bunfig.toml), so this runs after the last of them.
afterAll(() => {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
});
