import type { Plan } from "../agents/install/plan.ts";
import { notice, printable } from "./failure.ts";

/** Shows a plan: the diffs, then what stays as it is and why. */
export async function showPlan(plan: Plan): Promise<void> {
  const { diffs } = await import("../agents/install/explain.ts");
  const shown = diffs(plan);
  for (const [i, diff] of shown.entries()) {
    const lines = diff.split("\n").map(printable);
    const next = shown[i + 1];
    const isListed = lines.length === 1 && next !== undefined && !next.includes("\n");
    console.log(isListed ? lines.join("\n") : `${lines.join("\n")}\n`);
  }
  for (const { file, why } of plan.kept) notice(`${file} stays as it is: ${why}`);
  for (const { file, why, hint } of plan.problems) {
    notice(`${file} was left alone: ${why}`);
    console.error(`  try: ${printable(hint)}`);
  }
}

export const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

/** Asks on a terminal; elsewhere nobody answers, and that is a no. */
export const agreed = (question: string): boolean => process.stdin.isTTY === true && confirm(question);

/** What is said when nobody agreed. Returns the exit code. */
export function nothingWritten(command: string): number {
  notice("nothing was written");
  console.error(`  try: ${command} --yes`);
  return 1;
}
