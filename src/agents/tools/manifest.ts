import { fitted } from "./fitted.ts";
import { tool } from "./tool.ts";

export const manifest = tool({
  name: "gestalt_manifest",
  title: "List notes",
  description:
    "What notes there are: without a query how many, with types, folders and tags; with one, those whose name, title, tags or " +
    "block ids hold all its words, with links and blocks. To find what notes say, use gestalt_search.",
  args: {
    query: { kind: "text", description: "a note's name, or words" },
    limit: { kind: "integer", range: [1, 100], fallback: 10, description: "" },
  },
  output: { type: "object", required: ["notes", "entries", "index"] },
  async run({ query = "", limit }, { engine, onProgress }) {
    const found = await engine.manifest({ query, limit, withhold: true, ...(onProgress && { onProgress }) });
    const { entries, ...summary } = found;
    if (query === "") return { ...summary, entries: [] };
    const { notes, withheld, matched, index } = summary;
    return fitted(entries, 20_000, (shown) => ({
      notes,
      withheld,
      matched,
      ...(shown.length < matched && { left_out: matched - shown.length }),
      entries: shown,
      index,
    }));
  },
});
