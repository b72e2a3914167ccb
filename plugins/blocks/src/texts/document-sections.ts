import { type MarkdownHeading, markdownHeadings, sectionSlugger } from '@pacioli/core';
import { Turns, termCount } from '@pacioli/core/ports';

/** A section of a document that can be bound (T-2). */
export interface DocumentSection {
  readonly slug: string;
  /** The heading line and everything below it, up to the next heading of the same or a higher level. */
  readonly text: string;
  /** False for a heading that has no content below it. */
  readonly hasContent: boolean;
}

const minPreambleWords = 20;
const headingLevels = 6;

/**
 * The sections of a Markdown text in order. A text without headings is one section `full-document`; sufficiently long
 * text before the first heading is `preamble`. Every id in the search index can therefore be bound (ai-surface D-22 to
 * D-25). Other requests get their turn while a long text is split.
 */
export async function documentSections(body: string): Promise<readonly DocumentSection[]> {
  const text = body.replaceAll('\r\n', '\n');
  const headings = await markdownHeadings(text);
  const [first] = headings;
  const textOf = (from: number, to: number): string => text.slice(from, to).trim();
  if (first === undefined) return [sectionOf('full-document', text.trim())];
  const before = textOf(0, first.start);
  const isPreamble = termCount(before, minPreambleWords) === minPreambleWords;
  const sections = isPreamble ? [sectionOf('preamble', before)] : [];
  const slugOf = sectionSlugger(sections.map(({ slug }) => slug));
  const ends = sectionEnds(headings, text.length);
  const turns = new Turns();
  for (const [at, { title, start, below }] of headings.entries()) {
    const end = ends[at] ?? text.length;
    sections.push({ slug: slugOf(title), text: textOf(start, end), hasContent: textOf(below, end) !== '' });
    if (turns.isOver) await turns.next();
  }
  return sections;
}

/** The places at which the sections of headings end, in the order of the headings. */
function sectionEnds(headings: readonly MarkdownHeading[], textEnd: number): readonly number[] {
  const ends = headings.map(() => textEnd);
  // For each level, the start of its next heading; from the last heading to the first.
  const nextStarts = Array.from({ length: headingLevels + 1 }, () => textEnd);
  for (const [at, { level, start }] of [...headings.entries()].reverse()) {
    ends[at] = Math.min(...nextStarts.slice(0, level + 1));
    nextStarts[level] = start;
  }
  return ends;
}

function sectionOf(slug: string, text: string): DocumentSection {
  return { slug, text, hasContent: text !== '' };
}
