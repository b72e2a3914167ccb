/** Reads the rules and numbered sections that a document of `docs/spec` defines. */

export interface Rule {
  readonly id: string;
  /** The rule as plain text, without its id. */
  readonly text: string;
}

export interface Section {
  readonly number: string;
  readonly title: string;
}

export interface SpecDocument {
  /** The name used in citations: `ledger` for `docs/spec/ledger.md`. */
  readonly name: string;
  readonly title: string;
  /** The rules in document order. */
  readonly rules: readonly Rule[];
  readonly sections: readonly Section[];
}

/** The format of a rule id: `ledger L-100a`, `reporting B-0.7`. A leading zero is a case number, such as `B-001`. */
export const ruleId = '[A-Z]{1,2}-(?:0\\.)?[1-9]\\d*[a-z]?';
/** The format of a section number: `4`, `4.2`, `15.4a`. */
export const sectionNumber = '\\d{1,2}(?:\\.\\d{1,2})*[a-z]?';

const listed = new RegExp(`^(?:-|\\d+\\.) \\*\\*(${ruleId})\\b(.*)$`);
const tabled = new RegExp(`^\\| \\*{0,2}(${ruleId})\\b(.*)\\|$`);
const heading = new RegExp(`^#{2,6} (${sectionNumber})\\.? (.+)$`);

export function readDocument(name: string, markdown: string): SpecDocument {
  const rules: { id: string; text: string }[] = [];
  const sections: Section[] = [];
  let title = name;
  /** The rule that indented lines continue. */
  let open: { id: string; text: string } | undefined;
  for (const line of withoutFences(markdown)) {
    const found = listed.exec(line) ?? tabled.exec(line);
    if (found !== null) {
      const [, id = '', text = ''] = found;
      const isRow = line.startsWith('|');
      const rule = { id, text: isRow ? joinedCells(text) : text };
      rules.push(rule);
      open = isRow ? undefined : rule;
      continue;
    }
    if (open !== undefined && line.startsWith('  ')) open.text += ` ${line.trim()}`;
    else open = undefined;
    const [, number, words = ''] = heading.exec(line) ?? [];
    if (number !== undefined) sections.push({ number, title: plainText(words) });
    else if (line.startsWith('# ')) title = plainText(line.slice(2));
  }
  const defined = rules.map(({ id, text }) => ({ id, text: plainText(text) }));
  refuseRepeats(
    name,
    defined.map((rule) => rule.id),
  );
  refuseRepeats(
    name,
    sections.map((section) => section.number),
  );
  return { name, title, rules: defined, sections };
}

/** Rejects duplicate ids, which would make their citations ambiguous. */
function refuseRepeats(name: string, ids: readonly string[]): void {
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new Error(`docs/spec/${name}.md defines ${repeated} twice.`);
}

function withoutFences(markdown: string): readonly string[] {
  let isCode = false;
  return markdown.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    return isCode || isFence ? '' : line;
  });
}

function joinedCells(row: string): string {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replace(/\*\*/g, '').trim());
  return cells.filter((cell) => cell !== '').join(' – ');
}

/** Strips Markdown formatting. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\\\|/g, '|')
    .replace(/\*\*|`/g, '')
    .replace(/(?<!\w)\*(\w[^*]*)\*/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:–-]+/, '')
    .trim();
}

/** Truncates a text between words to at most `maxLength` characters. */
export function firstWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength + 1);
  return `${cut.slice(0, cut.lastIndexOf(' ')).replace(/[\s,;:.–(-]+$/, '')} …`;
}
