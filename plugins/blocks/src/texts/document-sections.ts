import { type MarkdownHeading, markdownHeadings, sectionSlugs } from '@pacioli/core';
import { searchTerms } from '@pacioli/core/ports';

/** A section of a document that can be bound (T-2). */
export interface DocumentSection {
  readonly slug: string;
  /** The heading line and everything below it, up to the next heading of the same or a higher level. */
  readonly text: string;
  /** False for a heading that has no content below it. */
  readonly hasContent: boolean;
}

/** The body of a document with its sections. */
export interface SectionedDocument {
  readonly body: string;
  readonly sections: readonly DocumentSection[];
}

const minPreambleWords = 20;

/**
 * A Markdown text with its sections in order. A text without headings is one section `full-document`; sufficiently long
 * text before the first heading is `preamble`. Every id in the search index can therefore be bound (ai-surface D-22 to
 * D-25).
 */
export async function sectionedDocument(given: string): Promise<SectionedDocument> {
  const body = given.replaceAll('\r\n', '\n');
  const headings = await markdownHeadings(body);
  const [first] = headings;
  const textOf = (from: number, to: number): string => body.slice(from, to).trim();
  if (first === undefined) return { body: given, sections: sectionOf('full-document', body.trim()) };
  const before = textOf(0, first.start);
  const isPreamble = searchTerms(before).length >= minPreambleWords;
  const leading = isPreamble ? sectionOf('preamble', before) : [];
  const slugs = sectionSlugs(
    headings.map(({ title }) => title),
    leading.map(({ slug }) => slug),
  );
  const ends = sectionEnds(headings, body.length);
  const sections = headings.map(({ start, below }, at) => {
    const end = ends[at] ?? body.length;
    return { slug: slugs[at] ?? '', text: textOf(start, end), hasContent: textOf(below, end) !== '' };
  });
  return { body: given, sections: [...leading, ...sections] };
}

/** The places at which the sections of headings end. */
function sectionEnds(headings: readonly MarkdownHeading[], bodyEnd: number): readonly number[] {
  const ends: number[] = [];
  // By level, the start of the next heading below the one that is looked at.
  const nextStarts = Array.from({ length: 7 }, () => bodyEnd);
  for (const [at, { level, start }] of [...headings.entries()].reverse()) {
    ends[at] = Math.min(...nextStarts.slice(0, level + 1));
    nextStarts[level] = start;
  }
  return ends;
}

function sectionOf(slug: string, text: string): readonly DocumentSection[] {
  return [{ slug, text, hasContent: text !== '' }];
}
