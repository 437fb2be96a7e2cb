import type { Plan } from "../agents/install/plan.ts";
import { notice, printable } from "./failure.ts";

/** Shows a plan: the diffs, then what stays as it is and why. */
export async function showPlan(plan: Plan): Promise<void> {
  const { diffs } = await import("../agents/install/explain.ts");
  for (const diff of diffs(plan)) console.log(`${diff.split("\n").map(printable).join("\n")}\n`);
  for (const { file, why } of plan.kept) notice(`${file} stays as it is: ${why}`);
  for (const { file, why, hint } of plan.problems) {
    notice(`${file} was left alone: ${why}`);
    console.error(`  try: ${printable(hint)}`);
  }
}

/** Asks on a terminal; elsewhere nobody answers, and that is a no. */
export const agreed = (question: string): boolean => process.stdin.isTTY === true && confirm(question);

/** What is said when nobody agreed. Returns the exit code. */
export function nothingWritten(command: string): number {
  notice("nothing was written");
  console.error(`  try: ${command} --yes`);
  return 1;
}
