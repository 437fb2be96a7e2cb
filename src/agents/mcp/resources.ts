import { GestaltError } from "../../errors.ts";
import type { Surface } from "../tools/tool.ts";

const scheme = "note://";
const pageSize = 100;

type Listed = { uri: string; name: string; title: string; mimeType: string };
type Contents = { contents: { uri: string; mimeType: string; text: string }[] };

export const resourceTemplates = [
  {
    uriTemplate: `${scheme}{+path}`,
    name: "note",
    title: "A note",
    description: "A note by its path, or a section of one: note://path.md#Heading, note://path.md#^block",
    mimeType: "text/markdown",
  },
];

/**
 * A page of the notes, restricted ones left out, in the order of their paths.
 *
 * @param cursor where the page begins, as the page before said
 * @throws GestaltError "usage" for a cursor that no page gave
 */
export async function listResources(
  { engine }: Surface,
  cursor: string | undefined,
): Promise<{ resources: Listed[]; nextCursor?: string }> {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0)
    throw new GestaltError("usage", `"${cursor}" is no cursor of ours`, "begin again without a cursor");
  const { entries, matched } = await engine.manifest({ query: "", limit: from + pageSize, withhold: true });
  const several = engine.place.vaults.length > 1;
  const resources = entries.slice(from).map(({ vault, path, slug, title }) => ({
    uri: uriOf(several ? `${vault}:${path}` : path),
    name: slug,
    title,
    mimeType: "text/markdown",
  }));
  return from + pageSize < matched ? { resources, nextCursor: String(from + pageSize) } : { resources };
}

/** @throws GestaltError "not-found" for an address that names nothing, and for a restricted note */
export async function readResource({ engine, onRead }: Surface, uri: string): Promise<Contents> {
  if (!uri.startsWith(scheme)) throw new GestaltError("not-found", `${uri} is no note`, `${scheme}PATH`);
  const { text, sensitivity, vault, path, start, end } = await engine.read(addressOf(uri));
  if (sensitivity === "restricted")
    throw new GestaltError("not-found", `${uri} is restricted, and withheld`, "gestalt_read with include_restricted");
  onRead?.({ vault, path, start, end });
  return { contents: [{ uri, mimeType: "text/markdown", text }] };
}

const uriOf = (path: string): string => scheme + path.split("/").map(encodeURIComponent).join("/");

function addressOf(uri: string): string {
  const rest = uri.slice(scheme.length);
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
