/** A section of a document that can be bound (T-2). */
export interface DocumentSection {
  readonly slug: string;
  /** The heading line and everything below it, up to the next heading of the same or a higher level. */
  readonly text: string;
  /** False for a heading that has no content below it. */
  readonly hasContent: boolean;
}

interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  readonly line: number;
  /** The first line below the heading. */
  readonly below: number;
}

const minPreambleWords = 20;

/**
 * The sections of a markdown text in order. A text without headings is one section `full-document`; sufficiently long
 * text before the first heading is `preamble`. Every id in the search index can therefore be bound (ai-surface D-22 to
 * D-25).
 */
export function documentSections(body: string): readonly DocumentSection[] {
  const lines = body.split(/\r?\n/);
  const headings = headingsOf(lines);
  const [first] = headings;
  const textOf = (from: number, to: number): string => lines.slice(from, to).join('\n').trim();
  if (first === undefined) return sectionOf('full-document', textOf(0, lines.length));
  const before = textOf(0, first.line);
  const isPreamble = before.split(/\s+/).length >= minPreambleWords;
  const leading = isPreamble ? sectionOf('preamble', before) : [];
  const slugs = distinct([...leading.map(({ slug }) => slug), ...headings.map(({ title }) => slugOf(title))]);
  return [
    ...leading,
    ...headings.map((heading, at) => {
      const end = headings.slice(at + 1).find(({ level }) => level <= heading.level)?.line ?? lines.length;
      return {
        slug: slugs[leading.length + at] ?? '',
        text: textOf(heading.line, end),
        hasContent: textOf(heading.below, end) !== '',
      };
    }),
  ];
}

function sectionOf(slug: string, text: string): readonly DocumentSection[] {
  return [{ slug, text, hasContent: text !== '' }];
}

/**
 * Lowercases the title, turns spaces into hyphens and keeps only characters that are safe in a URL (ai-surface D-25).
 */
function slugOf(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
  return plain.replace(/-+/g, '-').replace(/^-|-$/g, '') || 'section';
}

/** Appends -2, -3 and so on to repeated slugs, skipping any that another heading already has. */
function distinct(slugs: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return slugs.map((slug) => {
    let count = counts.get(slug) ?? 0;
    let name: string;
    do {
      count += 1;
      name = count === 1 ? slug : `${slug}-${count}`;
    } while (taken.has(name));
    counts.set(slug, count);
    taken.add(name);
    return name;
  });
}

/** Skips lines inside fenced code that look like headings (ai-surface D-22). */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  lines.forEach((line, at) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (mark !== null && closes(mark, fence)) fence = undefined;
      return;
    }
    if (mark !== null) {
      fence = mark[1];
      return;
    }
    const hashed = /^(#{1,6})\s+(\S.*)$/.exec(line);
    if (hashed !== null) {
      const title = (hashed[2] ?? '').replace(/\s+#+\s*$/, '');
      headings.push({ level: hashed[1]?.length ?? 1, title, line: at, below: at + 1 });
      return;
    }
    const underline = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1];
    const above = lines[at - 1] ?? '';
    if (underline === undefined || !isParagraph(above) || headings.at(-1)?.below === at) return;
    headings.push({ level: underline.startsWith('=') ? 1 : 2, title: above.trim(), line: at - 1, below: at + 1 });
  });
  return headings;
}

/** A fence is closed by a line of the same character, at least as long and with nothing after it. */
function closes(mark: RegExpExecArray, fence: string): boolean {
  const sign = mark[1] ?? '';
  return sign[0] === fence[0] && sign.length >= fence.length && (mark[2] ?? '').trim() === '';
}

/** True if an underline below the line makes it a heading: it is not a list, table, quotation, fence or code. */
function isParagraph(line: string): boolean {
  return /^ {0,3}(?!\d+[.)]\s)[^\s>|`~*+-]/.test(line);
}
