import type { Ranking } from "../types.ts";

/** The `limit` best of many scores, without sorting them all. Equal scores by id; a score that is no number is left out. */
export function openBest(limit: number): { add(id: number, score: number): void; ranking(): Ranking } {
  let kept: { id: number; score: number }[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const trim = (): void => {
    if (kept.length <= limit) return;
    // Numbers alone are sorted ten times as fast as rows.
    floor = Float64Array.from(kept, ({ score }) => score).sort()[kept.length - limit] ?? floor;
    kept = kept.filter(({ score }) => score >= floor);
    // Of many equal ones, too, no more are kept than are wanted.
    if (kept.length > 2 * limit) kept.sort(byScore).splice(limit);
  };
  return {
    add(id, score) {
      if (!(score >= floor)) return;
      kept.push({ id, score });
      if (kept.length >= 4 * limit) trim();
    },
    ranking() {
      trim();
      return kept.sort(byScore).slice(0, limit);
    },
  };
}

const byScore = (a: Ranking[number], b: Ranking[number]): number => b.score - a.score || a.id - b.id;
