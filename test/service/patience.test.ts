import { describe, expect, test } from "bun:test";
import { type Patience, patience } from "../../src/service/patience.ts";

/** Asks once, and says how long was waited. */
async function waited(patience: Patience, isLate: boolean): Promise<number> {
  let time = 0;
  const question = async (deadline: number) => {
    time = deadline;
  };
  await patience.ask(question, () => isLate);
  return time;
}

describe("patience", () => {
  test("is lost at a late answer, and is back after one in time", async () => {
    const waiting = patience(() => 0);
    expect([await waited(waiting, true), await waited(waiting, false), await waited(waiting, false)]).toEqual([
      1_000, 100, 1_000,
    ]);
  });

  test("comes back by itself, however often the answer was late meanwhile", async () => {
    let now = 0;
    const waiting = patience(() => now);
    await waited(waiting, true);
    for (; now < 500; now += 99) expect(await waited(waiting, true)).toBe(100);
    expect(await waited(waiting, true)).toBe(1_000);
  });

  test("costs a tenth of the time at most where no answer ever comes", async () => {
    let now = 0;
    let patiently = 0;
    const waiting = patience(() => now);
    while (now < 600_000) {
      const time = await waited(waiting, true);
      if (time === 1_000) patiently += time;
      now += time;
    }
    expect(patiently).toBeLessThan(60_000);
  });
});

/** A line of questions as the warm process has it: one at a time, what nobody waits for any more is passed over. */
test("of twenty who ask without pause all are answered, even if some were not at first", async () => {
  const cost = 20;
  let now = 0;
  type Question = { readonly who: number; readonly until: number; readonly end: (inTime: boolean) => void };
  const line: Question[] = [];
  const answered = new Map<number, number>();
  const askers = Array.from({ length: 20 }, (_, who) => ({ who, waiting: patience(() => now) }));
  for (const { who, waiting } of askers) {
    if (who % 3 === 0) await waited(waiting, true);
    void (async () => {
      for (;;) {
        const ask = (deadline: number) => new Promise<boolean>((end) => line.push({ who, until: now + deadline, end }));
        if (await waiting.ask(ask, (inTime) => !inTime)) answered.set(who, (answered.get(who) ?? 0) + 1);
      }
    })();
  }
  while (now < 30_000) {
    await Bun.sleep(0);
    for (const late of line.filter(({ until }) => until <= now)) {
      line.splice(line.indexOf(late), 1);
      late.end(false);
    }
    now += cost;
    line.shift()?.end(true);
  }
  expect(Math.min(...askers.map(({ who }) => answered.get(who) ?? 0))).toBeGreaterThan(40);
});
