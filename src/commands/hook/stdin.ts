/** Milliseconds for a client to say what it has to say: far inside the five seconds that these hooks are given. */
const patience = 2_000;

/** What a client writes on stdin; nothing when it does not come to an end in time. */
export const stdinInTime = async (): Promise<string> =>
  (await Promise.race([Bun.stdin.text(), Bun.sleep(patience)])) ?? "";
