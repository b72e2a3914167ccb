import { markdownHeadings, sectionSlugger } from '@pacioli/core';
import { Turns, termCount } from '@pacioli/core/ports';

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
 * Sections of under 20 words join their neighbors. Empty for a blank text. Gives way to other requests.
 */
export async function sectionsOf(body: string, title: string): Promise<readonly Section[]> {
  const text = body.replaceAll('\r\n', '\n');
  const headings = await markdownHeadings(text);
  const textOf = (from: number, to: number | undefined): string => text.slice(from, to).trim();
  if (headings.length === 0) {
    const whole = text.trim();
    return whole === '' ? [] : [{ sectionId: 'full-document', label: title, text: whole }];
  }
  const turns = new Turns();
  const before = textOf(0, headings[0]?.start);
  const hasPreamble = wordsUpToLeast(before) === minSectionWords;
  const sections: Section[] = hasPreamble ? [{ sectionId: 'preamble', label: title, text: before }] : [];
  const slugOf = sectionSlugger(sections.map(({ sectionId }) => sectionId));
  for (const [at, { start, title: label }] of headings.entries()) {
    const own = textOf(start, headings[at + 1]?.start);
    const isFirst = at === 0 && !hasPreamble;
    sections.push({ sectionId: slugOf(label), label, text: isFirst ? joined(before, own) : own });
    if (turns.isOver) await turns.next();
  }
  return withoutShortSections(sections, turns);
}

/** A short section joins the one before; short ones at the start join the next, which keeps its id (ai-surface D-26). */
async function withoutShortSections(sections: readonly Section[], turns: Turns): Promise<readonly Section[]> {
  const kept: { readonly section: Section; readonly texts: string[] }[] = [];
  let leading: string[] = [];
  let leadingWords = 0;
  for (const [at, section] of sections.entries()) {
    if (turns.isOver) await turns.next();
    const words = wordsUpToLeast(section.text);
    const last = kept.at(-1);
    if (words < minSectionWords && last !== undefined) {
      last.texts.push(section.text);
      continue;
    }
    leading.push(section.text);
    leadingWords += words;
    if (leadingWords < minSectionWords && at < sections.length - 1) continue;
    kept.push({ section, texts: leading });
    leading = [];
    leadingWords = 0;
  }
  return kept.map(({ section, texts }) => ({ ...section, text: texts.filter((text) => text !== '').join('\n\n') }));
}

const joined = (before: string, text: string): string => (before === '' ? text : `${before}\n\n${text}`);

/** The words of a text, counted up to 20. They are its search terms, so that texts without spaces have words, too. */
const wordsUpToLeast = (text: string): number => termCount(text, minSectionWords);

/**
 * Cuts a text into parts of at most 8,000 characters, which joined are the text (ai-surface D-27): after the last
 * paragraph that fits, else the last sentence, else the last word. A cut leaves at least half a part where it can.
 */
export async function partsOf(text: string, turns = new Turns()): Promise<readonly string[]> {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > maxPartCharacters) {
    if (turns.isOver) await turns.next();
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
