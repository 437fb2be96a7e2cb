import type { Database } from "bun:sqlite";
import { unsafe } from "bun";
import { makeRoom } from "../store/open.ts";

/**
 * Before work that lasts: code is compiled and pages are kept. The executable begins without either (`jitPolicy` in build.ts),
 * for what answers once is over before they pay.
 */
export function lasting(db: Database): void {
  unsafe.setJITPolicy(1);
  makeRoom(db);
}
