/** What the guard says to one action. `ask` leaves it to the person; silence is undefined. `rule` names the rule for logs and tests. */
export type Verdict = { readonly decision: "deny" | "ask"; readonly rule: string; readonly reason: string };

export const deny = (rule: string, reason: string): Verdict => ({ decision: "deny", rule, reason });
export const ask = (rule: string, reason: string): Verdict => ({ decision: "ask", rule, reason });

/** The gravest of several: a refusal before a question, a question before silence. */
export const gravest = (verdicts: readonly (Verdict | undefined)[]): Verdict | undefined =>
  verdicts.find((verdict) => verdict?.decision === "deny") ?? verdicts.find((verdict) => verdict !== undefined);

/** What a person's own rules may be about. */
export type Subject = "command" | "path" | "tool";

/** A person's own rules. `fault` says what is wrong with their file; its rules then do not count. */
export type Own = {
  readonly judge: (subject: Subject, text: string) => Verdict | "allow" | undefined;
  readonly fault: string | undefined;
};

export const noRules: Own = { judge: () => undefined, fault: undefined };
