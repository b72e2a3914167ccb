import { Turns } from '../store/turns.ts';

/** A heading of a Markdown text. */
export interface MarkdownHeading {
  /** 1 to 6. */
  readonly level: number;
  /** At most its first 500 characters (ai-surface D-25). */
  readonly title: string;
  /** The place in the text at which its line begins, in UTF-16 units. */
  readonly start: number;
  /** The place at which the first line below it begins. */
  readonly below: number;
}

const maxTitleCharacters = 500;
/** With a number after it, a slug fits into the filter of a search, which has at most 500 characters. */
const maxSlugCharacters = 490;

interface Line {
  /** Without its line break. */
  readonly text: string;
  readonly start: number;
  /** The start of the next line. */
  readonly end: number;
}

/**
 * The headings of a Markdown text: lines with 1 to 6 number signs, and underlined lines. Lines inside fenced code that
 * look like headings are none (ai-surface D-22). Other requests get their turn while a long text is read.
 */
export async function markdownHeadings(text: string): Promise<readonly MarkdownHeading[]> {
  const turns = new Turns();
  const headings: MarkdownHeading[] = [];
  const headingAt = headingReader();
  for (const line of linesOf(text)) {
    const heading = headingAt(line);
    if (heading !== undefined) headings.push(heading);
    if (turns.isOver) await turns.next();
  }
  return headings;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  while (start < text.length) {
    const breakAt = text.indexOf('\n', start);
    const end = breakAt === -1 ? text.length : breakAt + 1;
    const last = breakAt > start && text[breakAt - 1] === '\r' ? breakAt - 1 : breakAt;
    yield { text: text.slice(start, breakAt === -1 ? end : last), start, end };
    start = end;
  }
}

/**
 * A function that is called with each line of a text in order. Returns the heading that ends with the line: the line
 * itself, or the one above, which it underlines.
 */
function headingReader(): (line: Line) => MarkdownHeading | undefined {
  /** The signs that have opened the fenced code around the line. */
  let fence: string | undefined;
  let above: Line | undefined;
  const headingOf = (line: Line): MarkdownHeading | undefined => {
    // Most lines have none of the marks, and are not looked at again.
    const sign = /^ {0,3}([#`~=-])/.exec(line.text)?.[1];
    if (sign === undefined) return undefined;
    const mark = sign === '`' || sign === '~' ? /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line.text) : null;
    if (fence !== undefined) {
      if (mark !== null && closes(mark, fence)) fence = undefined;
      return undefined;
    }
    if (mark !== null) {
      fence = mark[1];
      return undefined;
    }
    return sign === '#' ? numberSignHeading(line) : underlinedHeading(line, above);
  };
  return (line) => {
    const heading = headingOf(line);
    // The line of a heading cannot be underlined.
    above = heading === undefined ? line : undefined;
    return heading;
  };
}

function numberSignHeading({ text, start, end }: Line): MarkdownHeading | undefined {
  const [, signs, rest] = /^(#{1,6})\s+(\S.*)$/.exec(text) ?? [];
  if (signs === undefined || rest === undefined) return undefined;
  return { level: signs.length, title: titleOf(withoutClosingSigns(rest)), start, below: end };
}

function underlinedHeading({ text, end }: Line, above: Line | undefined): MarkdownHeading | undefined {
  const underline = /^ {0,3}(=+|-+)\s*$/.exec(text)?.[1];
  if (underline === undefined || above === undefined || !isParagraph(above.text)) return undefined;
  return {
    level: underline.startsWith('=') ? 1 : 2,
    title: titleOf(above.text.trim()),
    start: above.start,
    below: end,
  };
}

function titleOf(text: string): string {
  // A character takes at most two units.
  return text.length <= maxTitleCharacters
    ? text
    : Array.from(text.slice(0, 2 * maxTitleCharacters))
        .slice(0, maxTitleCharacters)
        .join('')
        .trimEnd();
}

/**
 * The ids of the sections of these headings, in order: the titles in lower case with only characters that are safe in a
 * URL (ai-surface D-25). Repeated ones get -2, -3 and so on, without those that another heading or `taken` already has.
 */
export function sectionSlugs(titles: readonly string[], taken: readonly string[] = []): readonly string[] {
  return titles.map(sectionSlugger(taken));
}

/** Gives the id of the section of each title that it is called with, as `sectionSlugs` does. */
export function sectionSlugger(taken: readonly string[] = []): (title: string) => string {
  const used = new Set(taken);
  const counts = new Map<string, number>(taken.map((slug) => [slug, 1]));
  return (title) => {
    const slug = slugOf(title);
    let count = counts.get(slug) ?? 0;
    let name: string;
    do {
      count += 1;
      name = count === 1 ? slug : `${slug}-${count}`;
    } while (used.has(name));
    counts.set(slug, count);
    used.add(name);
    return name;
  };
}

function slugOf(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
  const slug = plain.replace(/-+/g, '-').replace(/^-|-$/g, '');
  return slug.slice(0, maxSlugCharacters) || 'section';
}

/** Number signs at the end belong to the mark of the heading if a space is before them. */
function withoutClosingSigns(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  return end < text.length && /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

/** True for a line that closes a code fence (CommonMark 4.5): the same character, at least as long, nothing after it. */
function closes(mark: RegExpExecArray, fence: string): boolean {
  const sign = mark[1] ?? '';
  return sign[0] === fence[0] && sign.length >= fence.length && (mark[2] ?? '').trim() === '';
}

/** True if an underline below the line makes it a heading: it is not a list, table, quotation, fence or code. */
function isParagraph(line: string): boolean {
  return /^ {0,3}(?!\d+[.)]\s)[^\s>|`~*+-]/.test(line);
}

/** Counts characters outside the basic multilingual plane as one, as the wire does. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (!isHighSurrogate(text.charCodeAt(at)) || !isLowSurrogate(text.charCodeAt(at + 1))) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
