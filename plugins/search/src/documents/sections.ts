import { markdownHeadings, sectionSlugs } from '@pacioli/core';
import { placedTerms } from '@pacioli/core/ports';

/** A section of a document, as it is indexed. */
export interface Section {
  /** The slug of its heading, `full-document` or `preamble` (ai-surface D-23 to D-25). */
  readonly sectionId: string;
  readonly label: string;
  readonly text: string;
}

const minSectionWords = 20;
const maxPartCharacters = 8_000;

/**
 * The sections of a text without front matter (ai-surface D-22 to D-26): each heading with the text up to the next one.
 * Sections of under 20 words join their neighbors. Empty for a blank text.
 */
export function sectionsOf(body: string, title: string): readonly Section[] {
  const lines = body.split(/\r?\n/);
  const headings = markdownHeadings(lines);
  const textOf = (from: number, to: number | undefined): string => lines.slice(from, to).join('\n').trim();
  if (headings.length === 0) {
    const text = textOf(0, undefined);
    return text === '' ? [] : [{ sectionId: 'full-document', label: title, text }];
  }
  const before = textOf(0, headings[0]?.line);
  const preamble = !isShort(before) ? [{ sectionId: 'preamble', label: title, text: before }] : [];
  const titles = headings.map((heading) => heading.title);
  const slugs = sectionSlugs(
    titles,
    preamble.map(({ sectionId }) => sectionId),
  );
  const headed = headings.map(({ line, title: label }, at) => {
    const text = textOf(line, headings[at + 1]?.line);
    return { sectionId: slugs[at] ?? '', label, text: at === 0 && preamble.length === 0 ? joined(before, text) : text };
  });
  return withoutShortSections([...preamble, ...headed]);
}

/** A short section joins the one before; short ones at the start join the next, which keeps its id (ai-surface D-26). */
function withoutShortSections(sections: readonly Section[]): readonly Section[] {
  const kept: { readonly section: Section; readonly texts: string[] }[] = [];
  let leading: string[] = [];
  sections.forEach((section, at) => {
    const isShortSection = isShort(section.text);
    const last = kept.at(-1);
    if (isShortSection && last !== undefined) {
      last.texts.push(section.text);
      return;
    }
    const texts = [...leading, section.text];
    if (isShortSection && isShort(texts.join('\n\n')) && at < sections.length - 1) {
      leading = texts;
      return;
    }
    leading = [];
    kept.push({ section, texts });
  });
  return kept.map(({ section, texts }) => ({ ...section, text: texts.filter((text) => text !== '').join('\n\n') }));
}

const joined = (before: string, text: string): string => (before === '' ? text : `${before}\n\n${text}`);

/** The words of a text are its search terms, so that texts without spaces have words, too. No more are split than needed. */
function isShort(text: string): boolean {
  let words = 0;
  for (const _term of placedTerms(text)) {
    words += 1;
    if (words === minSectionWords) return false;
  }
  return true;
}

/**
 * Cuts a text into parts of at most 8,000 characters, which joined are the text (ai-surface D-27): after the last
 * paragraph that fits, else the last sentence, else the last word. A cut leaves at least half a part where it can.
 */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxPartCharacters) {
    const end = cutOf(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest];
}

const boundaries = [/\n\s*\n\s*/g, /[.!?。！？]["')\]]*\s+/g, /\s+/g];

function cutOf(text: string): number {
  const window = text.slice(0, maxPartCharacters);
  for (const boundary of boundaries) {
    const last = [...window.matchAll(boundary)].at(-1);
    if (last !== undefined && last.index + last[0].length >= maxPartCharacters / 2) return last.index + last[0].length;
  }
  // Never between the two halves of one character.
  return /[\ud800-\udbff]/.test(window.at(-1) ?? '') ? window.length - 1 : window.length;
}
