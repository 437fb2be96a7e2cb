import { newMark } from "../fence.ts";
import { claim, type Injected, isNew, type Ledger, shownSince } from "../ledger.ts";
import { hashOf } from "../state.ts";
import { greenwichDayOf } from "./age.ts";
import { type Block, type BlockOptions, renderBlock, type Shown } from "./block.ts";
import type { HookContext } from "./context.ts";
import { mostCharacters, nothing, type Reply } from "./reply.ts";

export type Injection = Omit<BlockOptions, "mark" | "today" | "pointable"> & {
  /** Ours, as in `gestalt hook <event>`. */
  readonly event: string;
  readonly why: string;
  /** What was asked; its words stay out of the log unless the user wants them there. */
  readonly prompt?: string;
  readonly sections: readonly Shown[];
  /** The day that ages are counted to: the user's own where days of the sections are. */
  readonly today?: string;
};

/**
 * Puts sections before the agent that it has not been shown, and writes them down first: what another hook claimed in the
 * meantime is left out.
 */
export function inject(context: HookContext, ledger: Ledger, injection: Injection): Reply {
  const shown = shownSince(ledger.entries());
  const mark = newMark();
  const named = (section: Shown): Injected => injectedOf(section, context.settings["hits-log"]);
  const render = (sections: readonly Shown[]) =>
    renderBlock(sections, {
      ...injection,
      mark,
      budget: Math.min(injection.budget, mostCharacters),
      today: injection.today ?? greenwichDayOf(context.now),
      pointable: (section) => isNew(shown, { ...named(section), pointer: true }),
    });
  const block = render(injection.sections.filter((section) => isNew(shown, named(section))));
  if (block.text === "") return nothing;
  const won = claim(ledger, {
    kind: "injected",
    at: context.now.toISOString(),
    mark,
    event: injection.event,
    why: injection.why,
    characters: block.text.length,
    sections: sectionsOf(block, named),
    ...(injection.prompt === undefined ? {} : { prompt: hashOf(injection.prompt) }),
    ...(injection.prompt !== undefined && context.settings["hits-log-text"] ? { words: injection.prompt } : {}),
  });
  const mine = new Set(won.map(({ id }) => id));
  const all = [...block.passages, ...block.pointers];
  const left = all.filter((section) => mine.has(named(section).id));
  const text = left.length === all.length ? block.text : render(left).text;
  return text === "" ? nothing : { kind: "context", text };
}

const sectionsOf = ({ passages, pointers }: Block, named: (section: Shown) => Injected): readonly Injected[] => [
  ...passages.map(named),
  ...pointers.map((section) => ({ ...named(section), pointer: true as const })),
];

/** How a section is written down. Without a log of addresses, a hash of the address does for telling it again. */
export const injectedOf = ({ id, hash, start, end }: Shown, addresses: boolean): Injected => ({
  id: addresses ? id : hashOf(id),
  hash,
  ...(end > 0 && { lines: [start, end] as const }),
});
