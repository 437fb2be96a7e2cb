import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { askOnce } from "../../src/bench/nearest.ts";
import { timeHere } from "../../src/bench/timing.ts";
import { makeVectors, withNearest } from "../../src/engine/made-vectors.ts";
import { temporaryFolder } from "../door.ts";
import { defaults } from "../engine/vault.ts";

const placeIn = (folder: string) => ({
  vaults: [],
  db: join(folder, "index.db"),
  vectors: join(folder, "vectors.db"),
  models: folder,
  why: "a test",
});

test("a made index holds every vector, and both ways to ask find the same nearest ones", async () => {
  const place = placeIn(temporaryFolder());
  let row = 0;
  const made: Float32Array[] = [];
  makeVectors(place, 5000, 6, () => {
    row += 1;
    const raw = Float32Array.from({ length: 6 }, (_, i) => Math.sin(row * Math.sqrt(i + 2)));
    const length = Math.hypot(...raw);
    made.push(raw.map((value) => value / length));
    return made.at(-1)!;
  });
  const asked = made[4321]!;
  const [cold, warm] = await Promise.all(
    [false, true].map((lives) => withNearest(place, defaults, lives, (nearest) => nearest(asked, 3))),
  );
  expect(made.length).toBeGreaterThanOrEqual(5000);
  expect(warm?.map(({ id }) => id)).toEqual(cold!.map(({ id }) => id));
  expect(warm?.[0]?.score).toBeCloseTo(1, 4);
});

test("what is asked once makes the files when they are missing, and takes them as they are afterwards", async () => {
  const folder = join(temporaryFolder(), "10x4");
  await askOnce(folder, { vectors: 10, dims: 4 }, defaults);
  expect(existsSync(join(folder, "index.db"))).toBe(true);
  await askOnce(folder, { vectors: 10, dims: 4 }, defaults);
});

test("the first run is not counted", async () => {
  const seen: number[] = [];
  const timing = await timeHere({ what: "nothing", runs: 2 }, "none", (i) => seen.push(i));
  expect(seen).toEqual([0, 1, 2]);
  expect(timing).toMatchObject({ what: "nothing", runs: 2, command: "none" });
  expect(timing.minMs).toBeLessThanOrEqual(timing.medianMs);
}, 20_000);
