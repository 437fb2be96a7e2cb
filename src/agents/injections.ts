import { type Entry, holds, type Injected, isNew, shownSince } from "./ledger.ts";

/** One block that an agent was shown. */
export type Injection = {
  readonly session: string;
  readonly at: string;
  readonly event: string;
  readonly why: string;
  readonly characters: number;
  readonly prompt: string | undefined;
  readonly sections: readonly Injected[];
};

/** Sums over sessions. `used`: of the sections that were shown, those the agent opened or named afterwards. */
export type Usefulness = {
  readonly sessions: number;
  readonly injections: number;
  readonly characters: number;
  readonly sections: number;
  readonly used: number;
};

/** The blocks of a session, oldest first. One that came too late, since another hook had its sections, was never shown. */
export const injectionsOf = (session: string, entries: readonly Entry[]): readonly Injection[] =>
  entries.flatMap((entry, i) => {
    if (entry.kind !== "injected") return [];
    const before = shownSince(entries.slice(0, i));
    const sections = entry.event === "subagent" ? entry.sections : entry.sections.filter((each) => isNew(before, each));
    if (sections.length === 0 && entry.sections.length > 0) return [];
    const { at, event, why, characters, prompt } = entry;
    return [{ session, at, event, why, characters, prompt, sections }];
  });

export function usefulness(logs: readonly (readonly Entry[])[]): Usefulness {
  const blocks = logs.map((entries) => injectionsOf("", entries));
  const shown = blocks.map((all) => new Map(all.flatMap(({ sections }) => sections.map((each) => [each.id, each]))));
  const used = logs.map((entries, i) => {
    const ids = entries.flatMap((entry) => (entry.kind === "used" ? entry.ids : []));
    const read = entries.flatMap((entry) => (entry.kind === "read" ? [entry.section] : []));
    const all = [...(shown[i]?.values() ?? [])];
    return all.filter((each) => ids.includes(each.id) || read.some((one) => one.id === each.id || holds(one, each)));
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    sessions: blocks.filter((all) => all.length > 0).length,
    injections: sum(blocks.map((all) => all.length)),
    characters: sum(blocks.flat().map(({ characters }) => characters)),
    sections: sum(shown.map(({ size }) => size)),
    used: sum(used.map(({ length }) => length)),
  };
}
