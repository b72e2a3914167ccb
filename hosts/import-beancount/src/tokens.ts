import { journalLimits } from './limits.ts';
import type { JournalProblem } from './problem.ts';

export type TokenKind =
  | 'date'
  | 'string'
  | 'account'
  | 'currency'
  | 'number'
  | 'tag'
  | 'link'
  | 'key'
  | 'word'
  | 'punctuation';

export interface Token {
  readonly kind: TokenKind;
  /** The value: strings without quotes, tags and links without their mark, dates with dashes. */
  readonly text: string;
  readonly line: number;
}

/** A non-empty logical line; a multi-line string continues its line. */
export interface TokenLine {
  readonly line: number;
  readonly isIndented: boolean;
  readonly tokens: readonly Token[];
}

const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['date', /\d{4}[-/]\d{1,2}[-/]\d{1,2}/y],
  [
    'account',
    /(?:[A-Z]|[^\0-\x7f])(?:[A-Za-z0-9-]|[^\0-\x7f])*(?::(?:[A-Z0-9]|[^\0-\x7f])(?:[A-Za-z0-9-]|[^\0-\x7f])*)+/y,
  ],
  ['key', /[a-z][A-Za-z0-9_-]+(?=:)/y],
  ['word', /(?:TRUE|FALSE|NULL)(?![A-Z0-9'._-])|[a-z]+/y],
  ['currency', /\/?[A-Z](?:[A-Z0-9'._-]{0,22}[A-Z0-9])?/y],
  ['number', /(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?/y],
  ['tag', /#[A-Za-z0-9\-_/.]+/y],
  ['link', /\^[A-Za-z0-9\-_/.]+/y],
  ['punctuation', /\{\{|\}\}|@@|[{}@,~+\-*/()#:|!&?%]/y],
];

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', b: '\b' };
const blanks = /[ \t\r]*/y;
const headingMark = /^(?:[*:#!&?%]|[A-Z](?=\s|$))/;

interface Scan {
  readonly file: string;
  readonly text: string;
  readonly problems: JournalProblem[];
  position: number;
  line: number;
}

/** Splits a journal into lines of tokens. Comments, blank lines and outline headings are dropped. */
export function tokenize(file: string, text: string, problems: JournalProblem[]): TokenLine[] {
  const scan: Scan = { file, text: text.startsWith('\uFEFF') ? text.slice(1) : text, problems, position: 0, line: 1 };
  const lines: TokenLine[] = [];
  while (scan.position < scan.text.length) {
    const line = scanLine(scan);
    if (line !== null) lines.push(line);
  }
  return lines;
}

function scanLine(scan: Scan): TokenLine | null {
  const first = scan.text[scan.position] ?? '';
  const start = scan.line;
  const isIndented = first === ' ' || first === '\t';
  // Lines that begin with an outline heading or another such mark are prose in a journal.
  if (!isIndented && headingMark.test(scan.text.slice(scan.position, scan.position + 2))) {
    skipLine(scan);
    return null;
  }
  const tokens: Token[] = [];
  for (;;) {
    blanks.lastIndex = scan.position;
    scan.position += blanks.exec(scan.text)?.[0].length ?? 0;
    const character = scan.text[scan.position];
    if (character === undefined || character === '\n' || character === ';') {
      skipLine(scan);
      return tokens.length === 0 ? null : { line: start, isIndented, tokens };
    }
    const token = character === '"' ? scanString(scan) : scanPlain(scan);
    if (token === null) {
      skipLine(scan);
      return null;
    }
    tokens.push(token);
  }
}

function skipLine(scan: Scan): void {
  const end = scan.text.indexOf('\n', scan.position);
  scan.position = end === -1 ? scan.text.length : end + 1;
  scan.line += 1;
}

function scanPlain(scan: Scan): Token | null {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = scan.position;
    const found = pattern.exec(scan.text)?.[0];
    if (found === undefined) continue;
    scan.position += found.length;
    return { kind, text: meaningOf(kind, found), line: scan.line };
  }
  const shown = JSON.stringify(scan.text[scan.position]);
  scan.problems.push({
    file: scan.file,
    line: scan.line,
    message: `${shown} is not part of the journal syntax here; remove it, or put a ";" before text that is a comment.`,
  });
  return null;
}

function meaningOf(kind: TokenKind, found: string): string {
  if (kind === 'tag' || kind === 'link') return found.slice(1);
  if (kind === 'number') return found.replaceAll(',', '');
  if (kind !== 'date') return found;
  const [year = '', month = '', day = ''] = found.split(/[-/]/);
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function scanString(scan: Scan): Token | null {
  const line = scan.line;
  let text = '';
  let position = scan.position + 1;
  for (;;) {
    const character = scan.text[position];
    if (character === undefined) {
      scan.problems.push({ file: scan.file, line, message: 'this string has no closing quote; add a " at its end.' });
      scan.position = position;
      return null;
    }
    if (character === '"') break;
    if (character === '\\') {
      const next = scan.text[position + 1] ?? '';
      text += escapes[next] ?? next;
      position += 2;
      if (next === '\n') scan.line += 1;
      continue;
    }
    if (character === '\n') scan.line += 1;
    text += character;
    position += 1;
  }
  scan.position = position + 1;
  return { kind: 'string', text, line };
}

/** True for a number with more digits than any ledger needs, which would slow down the arithmetic. */
export function isTooLong(token: Token): boolean {
  return token.text.length > journalLimits.maxNumberDigits;
}
