import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import elsewhere from "../../src/engine/elsewhere.json";
import everyday from "../../src/engine/everyday.json";
import { fittingPrompts, unseenPrompts } from "../../src/engine/null.ts";
import type { Engine } from "../../src/engine/open.ts";
import { openVault } from "./vault.ts";

const options = { limit: 5, meaning: false, strictness: 0.98, sweep: false };
const notes = {
  "decisions/queue.md":
    "---\ncreated: 2026-08-03\n---\n# Why the retry queue went away\n\nWe dropped the Redis retry queue because it lost jobs.\n",
  "decisions/log.md": "# Structured logs\n\nEvery service writes JSON lines with a trace id.\n",
  "garden.md": "# Garden plan\n\nTomatoes go by the south wall, beans behind them.\n",
  "pay.md": "---\nsensitivity: restricted\n---\n# Retry queue pay\n\nWhy the retry queue team is paid well.\n",
};
const inVault = (notes: Readonly<Record<string, string>>, use: (engine: Engine, root: string) => Promise<void>) => {
  const vault = openVault(notes);
  return vault.open((engine) => use(engine, vault.root));
};
const measured = async (engine: Engine): Promise<Engine> => {
  await engine.index({ lexical: true });
  await engine.measure({ meaning: false });
  return engine;
};

describe("everyday prompts", () => {
  const all = Object.values(everyday).flat();
  test("are at least three hundred, of many kinds, and each only once", () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(Object.keys(everyday).length).toBeGreaterThanOrEqual(15);
    expect(new Set(all).size).toBe(all.length);
  });
  test("have a third that no null is ever measured with", async () => {
    const fitted = await fittingPrompts();
    expect(fitted.length / all.length).toBeCloseTo(2 / 3, 1);
    expect(new Set([...fitted, ...(await unseenPrompts())]).size).toBe(all.length);
  });
});

test("questions of other subjects are of forty, four each, each once, and nobody's everyday prompt", () => {
  const all = Object.values(elsewhere).flat();
  expect(Object.values(elsewhere).map(({ length }) => length)).toEqual(Array.from({ length: 40 }, () => 4));
  expect(new Set([...all, ...Object.values(everyday).flat()]).size).toBe(
    all.length + Object.values(everyday).flat().length,
  );
});

describe("recall", () => {
  test("says nothing without an index, and builds none", async () => {
    await inVault(notes, async (engine) => {
      expect(await engine.recall("why did we drop the retry queue?", options)).toBeUndefined();
      expect(await engine.catchUp()).toBe(false);
    });
  });

  test("serves nothing before the everyday prompts were measured", async () => {
    await inVault(notes, async (engine) => {
      await engine.index({ lexical: true });
      expect(await engine.recall("why did we drop the retry queue?", options)).toMatchObject({ served: false });
      expect(await engine.recall("why did we drop the retry queue?", { ...options, strictness: 0 })).toMatchObject({
        served: true,
      });
    });
  });

  test("serves a question that the notes answer, best section first, restricted ones never", async () => {
    await inVault(notes, async (engine) => {
      const found = await (await measured(engine)).recall("why did we drop the retry queue?", options);
      expect(found?.served).toBe(true);
      expect(found?.sections[0]).toMatchObject({ path: "decisions/queue.md", day: "2026-08-03", fit: 1 });
      expect(found?.sections.map(({ path }) => path)).not.toContain("pay.md");
    });
  });

  test("is silent on everyday prompts that had no part in the measuring", async () => {
    await inVault(notes, async (engine) => {
      await measured(engine);
      const unseen = await unseenPrompts();
      const answers = await Promise.all(unseen.map((prompt) => engine.recall(prompt, options)));
      const silent = answers.filter((answer) => answer?.served === false).length;
      expect(silent / unseen.length).toBeGreaterThanOrEqual(0.95);
    });
  });

  test("shows a note as it is on disk now, and none that is gone", async () => {
    await inVault(notes, async (engine, root) => {
      await measured(engine);
      const ask = async () =>
        (await engine.recall("where do the tomatoes go in the garden plan?", options))?.sections[0]?.text;
      expect(await ask()).toContain("south wall");
      writeFileSync(join(root, "garden.md"), "# Garden plan\n\nTomatoes go into the greenhouse now.\n");
      expect(await ask()).toContain("greenhouse");
      rmSync(join(root, "garden.md"));
      expect(await ask()).toBeUndefined();
    });
  });

  test("gives the text of what it showed by its address, and of nothing restricted or gone", async () => {
    await inVault(notes, async (engine) => {
      const found = await (await measured(engine)).recall("why did we drop the retry queue?", options);
      const [shown] = found?.sections ?? [];
      const asked = [shown?.id ?? "", "pay.md#pay", "garden.md#no-such", "gone.md#x", "no address"];
      expect(await engine.texts(asked)).toEqual(new Map([[shown?.id ?? "", shown?.text ?? ""]]));
    });
  });

  test("looks for the rarest words alone when it is told to, those that stand nowhere left out", async () => {
    await inVault(notes, async (engine) => {
      await measured(engine);
      const prompt = "please write every service in quixotic JSON lines like tomatoes";
      const found = await engine.recall(prompt, { ...options, strictness: 0, rarest: 1 });
      expect(found?.sections.map(({ path }) => path)).toHaveLength(1);
    });
  });

  test("leaves out what the author hid, also where a comment began in an earlier section", async () => {
    const hidden =
      "# Plan\n\n## Open\n\nZebras first. %%\n\n## Hidden\n\nZebra secrets.\n\n%%\n\n## Shown\n\nZebra facts.\n";
    await inVault({ ...notes, "plan.md": hidden }, async (engine) => {
      const found = await (await measured(engine)).recall("zebras in the plan", { ...options, strictness: 0 });
      const texts = found?.sections
        .filter(({ path }) => path === "plan.md")
        .map(({ text }) => text.trim())
        .sort();
      expect(texts).toEqual(["", "Zebra facts.", "Zebras first."]);
    });
  });
});

describe("the measuring", () => {
  test("is done once, and again when a tenth of the notes has changed", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}.md`, `# Note ${i}\n\nText ${i}.\n`]));
    await inVault(many, async (engine, root) => {
      expect((await engine.status()).gate).toBe("never");
      await engine.index({ lexical: true });
      expect((await engine.status()).gate).toBe("never");
      expect(await engine.measure({ meaning: false })).toBe(true);
      expect((await engine.status()).gate).toBe("measured");
      expect(await engine.measure({ meaning: false })).toBe(false);
      for (let i = 0; i < 2; i++) writeFileSync(join(root, `n${i}.md`), "# Changed\n\nOtherwise.\n");
      await engine.index({ lexical: true });
      expect(await engine.measure({ meaning: false })).toBe(false);
      for (let i = 2; i < 8; i++) writeFileSync(join(root, `n${i}.md`), "# Changed\n\nOtherwise.\n");
      await engine.index({ lexical: true });
      expect((await engine.status()).gate).toBe("due");
      expect(await engine.measure({ meaning: false })).toBe(true);
    });
  });
});

describe("the notes about a file", () => {
  const about = {
    "glob.md": '---\npaths: ["src/queue/**", "*.toml"]\n---\n# Queue rules\n\nNever pop without ack.\n',
    "folder.md": "---\npaths: src/billing\n---\n# Billing rules\n\nRound half even.\n",
    "link.md": "# Jobs\n\nSome words.\n\n## Table\n\nSee [the module](../src/jobs.ts).\n",
    "pay.md": "---\nsensitivity: restricted\npaths: src/**\n---\n# Pay\n\nBands.\n",
  };
  const project = (root: string) => join(root, "..");
  const pathsFor = async (engine: Engine, root: string, file: string) =>
    (await engine.about(join(project(root), file), project(root))).map(({ path, headings }) =>
      [path, ...headings].join("#"),
    );

  test("are those whose globs match it, or that link to it, at the section that does", async () => {
    await inVault(about, async (engine, root) => {
      await engine.index({ lexical: true });
      expect(await pathsFor(engine, root, "src/queue/a/pop.ts")).toEqual(["glob.md"]);
      expect(await pathsFor(engine, root, "bun.toml")).toEqual(["glob.md"]);
      expect(await pathsFor(engine, root, "src/billing/round.ts")).toEqual(["folder.md"]);
      expect(await pathsFor(engine, root, "src/jobs.ts")).toEqual(["link.md#Table"]);
      expect(await pathsFor(engine, root, "lib/jobs.ts")).toEqual([]);
      expect(await pathsFor(engine, root, "../elsewhere/src/queue/a.ts")).toEqual([]);
    });
  });
  test("are none when the file is a note itself, and none without an index", async () => {
    await inVault(about, async (engine, root) => {
      expect(await engine.about(join(project(root), "src/jobs.ts"), project(root))).toEqual([]);
      await engine.index({ lexical: true });
      expect(await engine.about(join(root, "link.md"), project(root))).toEqual([]);
    });
  });
});
