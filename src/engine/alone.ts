import { type Lock, tryLock } from "../store/lock.ts";
import { schema } from "../store/migrations.ts";

/** Makes this process the one that holds `path`, until it lets go or dies; undefined when another holds it. */
export const holdAlone = (path: string): Lock | undefined => tryLock(path);

/** The shape of the indexes that this program writes. */
export const indexSchema = schema;
