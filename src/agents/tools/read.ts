import { GestaltError } from "../../errors.ts";
import { tool } from "./tool.ts";

export const read = tool({
  name: "gestalt_read",
  title: "Read a note",
  description:
    "Read a note, or a section of one, word for word as it stands on disk, with its line numbers. Use after gestalt_search " +
    "(with the id of a hit), or with a name you know. Read sections rather than whole notes.",
  args: {
    address: {
      kind: "text",
      required: true,
      description: "id of a hit; path, slug, title or alias; NOTE#Heading, NOTE#^block, NOTE:12-40",
    },
    neighbours: {
      kind: "integer",
      range: [0, 100],
      fallback: 0,
      description: "sections around it to read too",
    },
    lines: { kind: "boolean", fallback: false, description: "number the lines" },
    max_chars: { kind: "integer", range: [500, 200_000], fallback: 20_000, description: "characters of text" },
    include_restricted: {
      kind: "boolean",
      fallback: false,
      description: "only if the user asked for it",
    },
  },
  synonyms: { slug: "address" },
  output: { type: "object", required: ["path", "start", "end", "text"] },
  async run({ address, neighbours, lines, max_chars: room, include_restricted: open }, { engine, onProgress, onRead }) {
    const { sensitivity, text, start, ...reading } = await engine.read(address, {
      neighbours,
      ...(onProgress && { onProgress }),
    });
    if (sensitivity === "restricted" && !open)
      throw new GestaltError(
        "not-found",
        `${reading.path} is restricted, and withheld`,
        "gestalt_read with include_restricted, if the user wants that",
      );
    const all = text.split("\n");
    const shown = lines ? all.map((line, i) => `${start + i}\t${line}`) : all;
    const kept = within(shown, room);
    const end = start + kept.length - 1;
    const cut = kept.length < all.length;
    const isWhole = kept.length > 1 || (kept[0] ?? "").length <= room;
    if (isWhole) onRead?.({ vault: reading.vault, path: reading.path, start, end });
    return {
      ...reading,
      start,
      end,
      text: cut && kept.length === 1 ? (kept[0] ?? "").slice(0, room) : kept.join("\n"),
      ...(cut && {
        left_out: { lines: reading.end - end, next: `${reading.path}:${end + 1}-${reading.end}` },
        remarks: [
          `lines ${end + 1} to ${reading.end} are left out to stay within max_chars: read "${reading.path}:${end + 1}-${reading.end}"`,
        ],
      }),
    };
  },
});

/** The first lines that fit in `room` characters together; at least one. */
function within(lines: readonly string[], room: number): readonly string[] {
  let used = 0;
  const over = lines.findIndex((line) => {
    used += line.length + 1;
    return used > room + 1;
  });
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}
