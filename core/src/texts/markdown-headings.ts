/** A heading of a Markdown text. */
export interface MarkdownHeading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  readonly line: number;
  /** The first line below the heading. */
  readonly below: number;
}

/**
 * The headings in the lines of a Markdown text: lines with 1 to 6 number signs, and underlined lines. Lines inside fenced
 * code that look like headings are none (ai-surface D-22).
 */
export function markdownHeadings(lines: readonly string[]): readonly MarkdownHeading[] {
  return [...eachMarkdownHeading(lines)];
}

/** As `markdownHeadings`, one at a time, so that a long text need not be read at once. */
export function* eachMarkdownHeading(lines: readonly string[]): Generator<MarkdownHeading, void> {
  let fence: string | undefined;
  let below = -1;
  for (const [at, line] of lines.entries()) {
    // Most lines have none of the marks, and are not looked at again.
    const sign = /^ {0,3}([#`~=-])/.exec(line)?.[1];
    if (sign === undefined) continue;
    const mark = sign === '`' || sign === '~' ? /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) : null;
    if (fence !== undefined) {
      if (mark !== null && closes(mark, fence)) fence = undefined;
      continue;
    }
    if (mark !== null) {
      fence = mark[1];
      continue;
    }
    if (sign === '#') {
      const hashed = /^(#{1,6})\s+(\S.*)$/.exec(line);
      if (hashed === null) continue;
      const title = withoutClosingSigns(hashed[2] ?? '');
      below = at + 1;
      yield { level: hashed[1]?.length ?? 1, title, line: at, below };
      continue;
    }
    const underline = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1];
    const above = lines[at - 1] ?? '';
    if (underline === undefined || !isParagraph(above) || below === at) continue;
    below = at + 1;
    yield { level: underline.startsWith('=') ? 1 : 2, title: above.trim(), line: at - 1, below };
  }
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
  return plain.replace(/-+/g, '-').replace(/^-|-$/g, '') || 'section';
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
  for (let at = 0; at < text.length - 1; at += 1) if (isPair(text, at)) count -= 1;
  return count;
}

function isPair(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
}
