import type { Edge, Graph } from "../engine/graph.ts";
import { command } from "./command.ts";
import { notice, printable } from "./failure.ts";
import { noteKnobs } from "./find-notes.ts";
import { watching, withNotes } from "./notes.ts";

export default command({
  name: "graph",
  description: "Show how notes hang together: links, broken links, data flows",
  args: {
    note: { kind: "positional", description: "only the links of this note" },
    mermaid: { kind: "boolean", description: "the links as a Mermaid graph" },
    json: { kind: "boolean", description: "one JSON object" },
  },
  knobs: noteKnobs,
  async run({ args, flags }) {
    await withNotes(flags, async (engine) => {
      const { done, ...watch } = watching();
      const graph = await engine.graph({ ...watch, note: args.note, withhold: false }).finally(done);
      if (args.json) console.log(JSON.stringify(graph));
      else if (args.mermaid) console.log(mermaid(graph.edges));
      else if (args.note === undefined) showAll(graph);
      else for (const edge of graph.edges) console.log(printable(`${edge.from} -> ${edge.to}  (line ${edge.line})`));
      if (!args.json && !args.mermaid)
        for (const { from, line, to } of graph.broken) notice(`${from}:${line} links to "${to}", which names no note`);
    });
  },
});

/** Rows of each list on a terminal. */
const most = 20;

function showAll({ notes, edges, hubs, orphans, flows }: Graph): void {
  console.log(`${notes} notes, ${edges.length} links, ${orphans.length} notes without links`);
  for (const { slug, incoming, outgoing } of hubs.slice(0, most))
    console.log(printable(`${String(incoming).padStart(4)} in ${String(outgoing).padStart(4)} out  ${slug}`));
  // As the reference's GRAPH.md has them.
  for (const { slug, text } of flows)
    console.log(`\n### ${printable(slug)}\n\n${text.split("\n").map(printable).join("\n").trimEnd()}`);
}

function mermaid(edges: readonly Edge[]): string {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const id = new Map(names.map((name, i) => [name, `n${i}`]));
  return [
    "graph LR",
    ...names.map((name) => `  ${id.get(name)}["${printable(name).replaceAll('"', "#quot;")}"]`),
    ...edges.map(({ from, to }) => `  ${id.get(from)} --> ${id.get(to)}`),
  ].join("\n");
}
