import { markdownHeadings, sectionSlugs } from '@pacioli/core';
import { searchTerms } from '@pacioli/core/ports';

/** A section of a document that can be bound (T-2). */
export interface DocumentSection {
  readonly slug: string;
  /** The heading line and everything below it, up to the next heading of the same or a higher level. */
  readonly text: string;
  /** False for a heading that has no content below it. */
  readonly hasContent: boolean;
}

const minPreambleWords = 20;

/**
 * The sections of a markdown text in order. A text without headings is one section `full-document`; sufficiently long
 * text before the first heading is `preamble`. Every id in the search index can therefore be bound (ai-surface D-22 to
 * D-25).
 */
export function documentSections(body: string): readonly DocumentSection[] {
  const lines = body.split(/\r?\n/);
  const headings = markdownHeadings(lines);
  const [first] = headings;
  const textOf = (from: number, to: number): string => lines.slice(from, to).join('\n').trim();
  if (first === undefined) return sectionOf('full-document', textOf(0, lines.length));
  const before = textOf(0, first.line);
  const isPreamble = searchTerms(before).length >= minPreambleWords;
  const leading = isPreamble ? sectionOf('preamble', before) : [];
  const slugs = sectionSlugs(
    headings.map(({ title }) => title),
    leading.map(({ slug }) => slug),
  );
  return [
    ...leading,
    ...headings.map((heading, at) => {
      const end = headings.slice(at + 1).find(({ level }) => level <= heading.level)?.line ?? lines.length;
      return {
        slug: slugs[at] ?? '',
        text: textOf(heading.line, end),
        hasContent: textOf(heading.below, end) !== '',
      };
    }),
  ];
}

function sectionOf(slug: string, text: string): readonly DocumentSection[] {
  return [{ slug, text, hasContent: text !== '' }];
}
