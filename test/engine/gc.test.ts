import { describe, expect, test } from "bun:test";
import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { collectGarbage, type GcOptions } from "../../src/engine/gc.ts";
import { withEngine } from "../../src/engine/open.ts";
import { tryLock } from "../../src/store/lock.ts";
import { defaults, looking, openVault, type Vault } from "./vault.ts";

const walrus = "# Walrus\n\nA walrus has tusks and lies on the ice.\n\n## Food\n\nClams and snails.\n";
const penguin = "# Penguin\n\nA penguin walks.\n\n## Food\n\nFish and krill.\n";

async function indexed(notes: Record<string, string>): Promise<Vault> {
  const vault = openVault(notes);
  await vault.open((engine) => engine.index());
  return vault;
}

const collect = ({ place }: Vault, more: Partial<GcOptions> = {}) =>
  collectGarbage({ folder: dirname(place.db), vectors: place.vectors, gone: false, dryRun: false, wait: 0, ...more });
const count = ({ place }: Vault): number =>
  looking(place.vectors, (db) => db.query<{ n: number }, []>("SELECT count(*) AS n FROM vector").get()?.n ?? -1);
/** Passages and notes that point at a vector which is not there. */
const dangling = ({ place }: Vault): unknown =>
  looking(place.db, (db) => {
    db.query("ATTACH DATABASE ? AS vectors").run(place.vectors);
    const lost = "vector IS NOT NULL AND vector NOT IN (SELECT id FROM vectors.vector)";
    return db
      .query(`SELECT (SELECT count(*) FROM passage WHERE ${lost}) + (SELECT count(*) FROM note WHERE ${lost}) AS n`)
      .get();
  });
const code = (verb: Promise<unknown>) => verb.then(() => "done").catch((error) => error.code ?? String(error));

test("what every note of a vault needs is kept, what an edit left behind is dropped", async () => {
  const vault = await indexed({ "a.md": walrus, "b.md": penguin });
  const all = count(vault);
  expect(await collect(vault)).toMatchObject({ dropped: 0, kept: all, indexes: 1 });
  vault.remove("b.md");
  await vault.open((engine) => engine.index());
  expect(await collect(vault, { dryRun: true })).toMatchObject({ dropped: all / 2, kept: all / 2 });
  expect(count(vault)).toBe(all);
  expect(await collect(vault)).toMatchObject({ dropped: all / 2, kept: all / 2 });
  expect([count(vault), dangling(vault)]).toEqual([all / 2, { n: 0 }]);
  vault.write("b.md", penguin);
  expect((await vault.open((engine) => engine.index())).embedded).toBe(all / 2);
}, 20_000);

test("vectors of another model are kept with their texts: going back stays free", async () => {
  const vault = await indexed({ "a.md": walrus });
  await vault.open((engine) => engine.index(), { "embed-normalize": false });
  expect(await collect(vault)).toMatchObject({ dropped: 0 });
  expect((await vault.open((engine) => engine.index())).embedded).toBe(0);
}, 20_000);

describe("an index outside the folder of indexes", () => {
  test("counts as long as it is there", async () => {
    const vault = await indexed({ "a.md": walrus });
    const far = openVault({ "b.md": penguin });
    const place = { ...far.place, vectors: vault.place.vectors };
    await withEngine({ place, settings: defaults }, (engine) => engine.index());
    const all = count(vault);
    expect(await collect(vault)).toMatchObject({ dropped: 0, kept: all, indexes: 2 });
    rmSync(place.db);
    expect(await collect(vault)).toMatchObject({ dropped: all / 2, kept: all / 2, indexes: 1 });
    expect(dangling(vault)).toEqual({ n: 0 });
  }, 20_000);

  test("that nobody can look at, because its folder is away, stops it", async () => {
    const vault = await indexed({ "a.md": walrus });
    const far = openVault({ "b.md": penguin });
    const place = { ...far.place, vectors: vault.place.vectors };
    await withEngine({ place, settings: defaults }, (engine) => engine.index());
    const all = count(vault);
    renameSync(dirname(place.db), `${dirname(place.db)}-away`);
    expect(await code(collect(vault))).toBe("io");
    expect(count(vault)).toBe(all);
  }, 20_000);
});

test("a broken index stops it, and so does one that is being written or embedded", async () => {
  const vault = await indexed({ "a.md": walrus });
  for (const suffix of ["", ".vectors"]) {
    const lock = tryLock(vault.place.db + suffix);
    expect(await code(collect(vault))).toBe("busy");
    lock?.release();
  }
  await Bun.write(join(dirname(vault.place.db), "other.db"), "garbage!");
  expect(await code(collect(vault))).toBe("bad-index");
  expect(count(vault)).toBeGreaterThan(0);
});

test("the index of a folder that is not there is told, and dropped with its vectors when that is asked for", async () => {
  const vault = await indexed({ "a.md": walrus });
  renameSync(vault.root, `${vault.root}-away`);
  const told = [{ db: vault.place.db, roots: [vault.root] }];
  expect(await collect(vault)).toMatchObject({ dropped: 0, folderless: told });
  expect(existsSync(vault.place.db)).toBe(true);
  expect(await collect(vault, { gone: true })).toMatchObject({ kept: 0, folderless: told, indexes: 0 });
  expect([existsSync(vault.place.db), existsSync(`${vault.place.db}.lock`), count(vault)]).toEqual([false, false, 0]);
});

test("where there is nothing, nothing is dropped and nothing is made", async () => {
  const vault = openVault();
  expect(await collect(vault)).toEqual({
    kept: 0,
    dropped: 0,
    indexes: 0,
    folderless: [],
    native: [],
    bytes: { before: 0, after: 0 },
  });
  expect(existsSync(vault.place.vectors)).toBe(false);
});
