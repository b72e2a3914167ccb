/** Finds citations of rules and sections of `docs/spec` in a text. */
import { ruleId, type SpecDocument, sectionNumber } from './rules-spec.ts';

export interface Citation {
  readonly line: number;
  /** A rule id or a section number. */
  readonly target: string;
  /** The last of a range such as `ledger L-182 to L-190`. */
  readonly last?: string;
  /** The document that the citation names; absent for a bare id. */
  readonly document?: string;
}

/** The rules and sections of one document that a citation means, or why it is ambiguous. */
export type Resolved =
  | { readonly document: string; readonly targets: readonly string[] }
  | { readonly problem: string };

/**
 * The name of a document applies until a bracket, a quote or the end of a sentence. An apostrophe between two
 * letters, as in `the book's`, is not a quote.
 */
const nameEnds = /[()|"`{}]|(?<![A-Za-z])'|'(?![A-Za-z])|\.\s|\*\//;

const idPattern = `${ruleId}(?![\\w-])`;
const section = `${sectionNumber}(?![\\w%-]|[.,]\\d)`;
const item = new RegExp(
  `(${idPattern}|${section})(?:(?:\\s+(?:to|through)\\s+|\\s?[–…]\\s?)(${idPattern}|${section}))?`,
  'y',
);
/** A whole number continues a list only after "sections": in `ledger 5, 3 rows` it is a count. */
const separator = new RegExp(
  `(?:,?\\s+(?:and\\s+|or\\s+)?|/)(?:(?=${idPattern}|\\d{1,2}\\.${section})|sections?\\s+(?=${section}))`,
  'y',
);

/** Separates the numbers of a list that starts with "sections": `ledger sections 3, 5.3 and 9`. */
const sectionSeparator = new RegExp(`,?\\s+(?:and\\s+|or\\s+)?(?=${section})`, 'y');

/**
 * Finds the citations in a text. The name of a document applies to the rest of its bracket or sentence:
 * `(platform E-3, E-4)`. A number is a section only after the name of a document: `ledger 5.9`. A misspelled name is
 * not detected: a section after it is a plain number, and a rule id after it is a bare id.
 */
export function citationsIn(text: string, documents: readonly string[]): readonly Citation[] {
  const plain = withoutCommentMarks(text);
  const lineOf = lineCounter(plain);
  const start = startPattern(documents);
  const found: Citation[] = [];
  let document: string | undefined;
  let end = 0;
  for (let match = start.exec(plain); match !== null; match = start.exec(plain)) {
    const named = match.groups?.['named'];
    if (named !== undefined) document = named.toLowerCase();
    else if (nameEnds.test(plain.slice(end, match.index))) document = undefined;
    end = match.index + match[0].length;
    let isSectionList = /\bsections\s+$/i.test(match[0]);
    for (let next = at(item, plain, end); next !== undefined; next = at(item, plain, end)) {
      const [whole, target = '', last] = next;
      if (document !== undefined || !isValue(plain, end, whole)) {
        found.push({
          line: lineOf(end),
          target,
          ...(last !== undefined && { last }),
          ...(document !== undefined && { document }),
        });
      }
      end += whole.length;
      isSectionList &&= /^\d/.test(target);
      const between = (isSectionList ? at(sectionSeparator, plain, end) : undefined) ?? at(separator, plain, end);
      if (between === undefined) break;
      isSectionList ||= /\bsections\s+$/.test(between[0]);
      end += between[0].length;
    }
    start.lastIndex = end;
  }
  return found;
}

/**
 * A string that is only an id names something else, such as an invoice. The value of `rule: ` is a citation, as in the
 * rows of the permission matrix (conformance/src/permission-matrix.ts).
 */
function isValue(text: string, start: number, whole: string): boolean {
  const quotes = `${text.charAt(start - 1)}${text.charAt(start + whole.length)}`;
  return /^(?:''|""|``)$/.test(quotes) && !text.slice(0, start - 1).endsWith('rule: ');
}

/** Matches the name of a document before an id or a section, or a bare id (with zero width). */
function startPattern(documents: readonly string[]): RegExp {
  // The longest first, so that `taxonomy-data` is not read as `taxonomy`.
  const capitalized = documents.map((name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);
  const names = [...documents, ...capitalized].sort((a, b) => b.length - a.length);
  const named = `(?<![\\w/-])(?<named>${names.join('|')})\\s+(?:(?:sections?|examples?|rules?)\\s+)?(?=${idPattern}|${section})`;
  return new RegExp(`${named}|(?<![\\w./-])(?=${idPattern})`, 'g');
}

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** Blanks the comment marks at the start of each line, so that sentences continue across lines. */
function withoutCommentMarks(text: string): string {
  return text.replace(/^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/|--|#+)/gm, (mark) => ' '.repeat(mark.length));
}

function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let counted = 0;
  return (index) => {
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1;
    return line;
  };
}

/**
 * Resolves a citation. A bare id belongs to the document that the folder implements (`home`), else to the only one with
 * the prefix. Undefined if no document has the prefix: codes such as `UTF-8` look like ids, so a rule id with a wrong
 * prefix is not detected.
 */
export function resolve(
  citation: Citation,
  home: string | undefined,
  documents: readonly SpecDocument[],
): Resolved | undefined {
  const named = documents.find(({ name }) => name === citation.document);
  if (named !== undefined) return inDocument(citation, named);
  const own = documents.find(({ name }) => name === home);
  if (own?.rules.some((rule) => rule.id === citation.target)) return inDocument(citation, own);
  const owners = documents.filter(({ rules }) => rules.some(({ id }) => prefixOf(id) === prefixOf(citation.target)));
  const [only] = owners;
  if (only === undefined) return undefined;
  if (owners.length === 1) return inDocument(citation, only);
  const examples = owners.map(({ name }) => `"${name} ${citation.target}"`).join(' or ');
  const where = own === undefined ? 'Several documents have rules of this prefix' : `docs/spec/${own.name}.md has none`;
  return { problem: `${where}: name the document of ${citation.target}, such as ${examples}.` };
}

function inDocument({ target, last }: Citation, { name, rules, sections }: SpecDocument): Resolved {
  const ids = /^[A-Z]/.test(target) ? rules.map((rule) => rule.id) : sections.map(({ number }) => number);
  const first = ids.indexOf(target);
  if (first === -1) return { problem: `docs/spec/${name}.md has no ${target}.` };
  if (last === undefined) return { document: name, targets: [target] };
  const final = ids.indexOf(last);
  if (final === -1) return { problem: `docs/spec/${name}.md has no ${last}.` };
  if (prefixOf(last) !== prefixOf(target) || numberOf(last) <= numberOf(target)) {
    return { problem: `"${target} to ${last}" is not a range.` };
  }
  return { document: name, targets: ids.filter((each) => isBetween(each, target, last)) };
}

/** Compares by number, because the tables of a document need not be in the order of its ids. */
function isBetween(each: string, first: string, last: string): boolean {
  if (prefixOf(each) !== prefixOf(first)) return false;
  if (each === first || each === last) return true;
  return numberOf(each) >= numberOf(first) && numberOf(each) <= numberOf(last);
}

function prefixOf(target: string): string {
  return /^[A-Z]+/.exec(target)?.[0] ?? '';
}

/** Orders ids and sections of one prefix by number, then letter: `5.9` before `5.10` before `5.10a`. */
function numberOf(target: string): number {
  const parts = target.replace(/^[A-Z]+-/, '').replace(/[a-z]$/, (letter) => `.${letter.charCodeAt(0) - 96}`);
  return parts.split('.').reduce((sum, part, level) => sum + Number(part) / 1000 ** level, 0);
}
