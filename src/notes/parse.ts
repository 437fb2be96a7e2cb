import type { Note, Section, Warning } from "../types.ts";
import { distinct, type Facts, factsOf } from "./facts.ts";
import { frontMatter } from "./frontmatter.ts";
import { type Inline, inlineOf } from "./inline.ts";
import { bodyOf, outline } from "./markdown.ts";
import { sectionsOf, type Titled, titled } from "./sections.ts";
import { stem } from "./slug.ts";
import type { Cutting } from "./source.ts";
import { decode, linesOf } from "./text.ts";

/**
 * Reads one Markdown file. Never throws: what is odd becomes a warning.
 *
 * Lines count from 1 in the file on disk, front matter included. For every note: what stands above the first
 * section is front matter or blank, and the sections lie end to end down to the last line. The title is the front
 * matter's, else the first heading of level 1, else the first heading, else the file's name.
 *
 * A note with front matter alone has one section, so that its title is found; an empty file has none, nor has one that
 * is excluded, or no text.
 */
export function parseNote(path: string, bytes: Uint8Array, cutting: Cutting): Note {
  const { text, binary, problem } = decode(bytes);
  const warnings: Warning[] = [];
  if (problem !== undefined) warnings.push({ path, line: problem.line, message: problem.message });
  if (binary) {
    warnings.push({ path, line: 1, message: "looks like a binary file, and is left out" });
    return note(path, factsOf([]), undefined, [], none, warnings);
  }
  const lines = linesOf(text);
  const front = frontMatter(lines);
  const facts = factsOf(front.fields);
  if (front.problem !== undefined) warnings.push({ path, ...front.problem });
  if (facts.problem !== undefined) warnings.push({ path, line: 1, message: facts.problem });
  if (facts.excluded) return note(path, facts, undefined, [], none, warnings);

  const body = bodyOf(lines.slice(front.lines));
  const blocks = outline(body);
  const headings = titled(blocks);
  const inline = inlineOf(body, front.lines, blocks.leaves);
  const sections = sectionsOf(body, front.lines, headings, blocks.fences, inline.anchors, cutting);
  if (sections.length === 0 && front.lines > 0) sections.push(onlyFrontMatter(lines.length));
  return note(path, facts, firstHeading(headings), sections, inline, warnings);
}

const none: Inline = { links: [], tags: [], anchors: [] };

function note(
  path: string,
  { problem: _, title, tags, ...facts }: Facts,
  heading: string | undefined,
  sections: readonly Section[],
  inline: Inline,
  warnings: readonly Warning[],
): Note {
  return {
    path,
    title: title || heading || stem(path),
    ...facts,
    tags: distinct([...tags, ...inline.tags]),
    sections,
    links: inline.links,
    warnings,
  };
}

function firstHeading(headings: readonly Titled[]): string | undefined {
  const named = headings.filter(({ words }) => words.text !== "");
  return (named.find(({ level }) => level === 1) ?? named[0])?.words.text;
}

function onlyFrontMatter(lines: number): Section {
  const passage = { block: "overview", text: "", start: 1, end: lines, anchors: [] };
  return { level: 0, headings: [], block: "overview", start: 1, end: lines, passages: [passage] };
}
