import { hashCode } from "./code-macro.ts" with { type: "macro" };

/** SHA-256 of the code of each room that a score depends on, as it was when this program was built. */
export const codeHashes: Readonly<Record<string, string>> = hashCode();
