import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withEngine } from "../../src/engine/open.ts";
import { defaults, openVault } from "./vault.ts";

// Far above what it takes, for machines that have much else to do.
setDefaultTimeout(60_000);

test("waits for a note, not for any file, and tells once of a note that waits already", async () => {
  const vault = openVault({ "a.md": "# A\n" });
  await withEngine({ place: vault.place, settings: defaults, watch: true }, async (engine) => {
    await engine.index({ lexical: true });
    let told = false;
    const waiting = engine.changed().then(() => {
      told = true;
    });
    await Bun.sleep(100);
    mkdirSync(join(vault.root, "build"));
    writeFileSync(join(vault.root, "build", "out.log"), "made");
    await Bun.sleep(4_000);
    expect(told).toBe(false);
    writeFileSync(join(vault.root, "build", "b.md"), "# B\n");
    await waiting;
    await engine.index({ lexical: true });
    const old = join(vault.root, "moved-in.md");
    writeFileSync(old, "# C\n");
    utimesSync(old, 1, 1);
    await engine.changed();
    // Told of once: it may be one that cannot be read.
    const again = await Promise.race([engine.changed().then(() => "told"), Bun.sleep(500)]);
    expect(again).toBeUndefined();
  });
});
