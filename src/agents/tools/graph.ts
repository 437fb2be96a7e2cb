import { tool } from "./tool.ts";

/** Rows of each list in an answer. */
const most = 30;

export const graph = tool({
  name: "gestalt_graph",
  title: "Links between notes",
  description:
    "How notes hang together. With a note: what it links to, what links to it, its data flow. Without: the notes most linked " +
    "to, broken links, notes without links, every Data Flow section.",
  args: { note: { kind: "text", description: "path, slug, title or alias of a note" } },
  output: { type: "object", required: ["notes", "hubs", "edges", "flows"] },
  async run({ note }, { engine, onProgress }) {
    const found = await engine.graph({ note, withhold: true, ...(onProgress && { onProgress }) });
    const { hubs, edges, broken, orphans, flows } = found;
    const lists = { hubs, edges: note === undefined ? [] : edges, broken, orphans, flows };
    const left = Object.entries(lists).flatMap(([name, list]) =>
      list.length > most ? `${list.length - most} ${name}` : [],
    );
    return {
      ...found,
      links: edges.length,
      ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.slice(0, most)])),
      ...(left.length > 0 && { remarks: [`left out: ${left.join(", ")}; all of them: gestalt graph --json`] }),
    };
  },
});
