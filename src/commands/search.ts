import type { FoundHit } from "../engine/hits.ts";
import type { Answer } from "../engine/search.ts";
import { resolveSettings } from "../settings.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { watching, withNotes } from "./notes.ts";
import { inColour } from "./terminal.ts";
import { warmAnswer } from "./warm.ts";

export default command({
  name: "search",
  description: "Find the sections of your notes that answer a question",
  args: {
    words: {
      kind: "positional",
      many: true,
      required: true,
      description: 'what you are looking for; "quoted words" are a phrase, and all after -- is text',
    },
    files: { kind: "boolean", description: "only the paths of the notes found, one a line" },
    full: { kind: "boolean", description: "the whole passages instead of snippets" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: ["limit", "mode", ...noteKnobs, "serve"],
  async run({ args, flags, settings: { serve } }) {
    return await withNotes(flags, async (engine, { config, ...at }) => {
      const { done, ...watch } = watching();
      const { limit, mode } = resolveSettings({ flags, config }, ["limit", "mode"]).values;
      const words = args.words.join(" ");
      const answer =
        (serve ? await warmAnswer(at, words, { limit, mode }) : undefined) ??
        (await engine.search(words, { ...watch, limit, mode }).finally(done));
      if (args.json) console.log(JSON.stringify(asJson(answer, args.full)));
      else if (args.files) for (const path of new Set(answer.hits.map(pathOf(answer)))) console.log(path);
      else show(answer, args.full);
    });
  },
});

/** The answer as other programs read it: the same names on every surface. */
export function asJson({ hits, ...answer }: Answer, full: boolean): unknown {
  const shown = hits.map(({ marks: _, text, ...hit }) => (full ? { ...hit, text } : hit));
  return { ...answer, hits: shown };
}

/** With several vaults a path is told apart by its vault's name. */
const pathOf =
  ({ hits }: Answer) =>
  ({ vault, path }: FoundHit): string =>
    printable(new Set(hits.map((hit) => hit.vault)).size > 1 ? `${vault}:${path}` : path);

function show(answer: Answer, full: boolean): void {
  for (const remark of answer.remarks) notice(remark);
  if (answer.hits.length === 0) notice("nothing in your notes has these words");
  const colour = inColour();
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  for (const hit of answer.hits) {
    const crumbs = printable([hit.title, ...hit.headings].filter(Boolean).join(" > "));
    console.log(
      `${paint(36, `${pathOf(answer)(hit)}:${hit.start}`)}  ${crumbs}  ${paint(2, `(${hit.score.toFixed(2)})`)}`,
    );
    if (full) console.log(`${hit.text.split("\n").map(printable).join("\n")}\n`);
    else if (hit.snippet !== "") console.log(`    ${marked(hit, (text) => paint(1, text))}\n`);
  }
}

function marked({ snippet, marks }: FoundHit, paint: (text: string) => string): string {
  let shown = "";
  let at = 0;
  for (const { start, end } of marks) {
    shown += printable(snippet.slice(at, start)) + paint(printable(snippet.slice(start, end)));
    at = end;
  }
  return shown + printable(snippet.slice(at));
}
