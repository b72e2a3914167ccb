import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from './decimal.ts';
import { missing, type Transaction } from './directives.ts';
import { journalLimits } from './limits.ts';
import { readJournal } from './load-journal.ts';
import { parseJournal } from './parse-journal.ts';
import type { JournalProblem } from './problem.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

function parseTransaction(text: string): Transaction {
  const [directive] = readJournal('test.beancount', text).directives;
  if (directive?.kind !== 'transaction') throw new Error('expected a transaction');
  return directive;
}

function problemsOf(text: string): string[] {
  const problems: JournalProblem[] = [];
  parseJournal('test.beancount', text, problems);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

function unitsOf(text: string): string {
  const units = parseTransaction(`2020-01-01 *\n  Assets:A  ${text}`).postings[0]?.units;
  if (units === undefined || units === missing || units.number === missing) throw new Error('expected a number');
  return `${formatDecimal(units.number)} ${units.currency}`;
}

describe('parse-journal', () => {
  it('reads every kind of directive', () => {
    const text = readFileSync(join(fixtures, 'lots-and-prices.beancount'), 'utf8');
    const kinds = new Set(readJournal('lots', text).directives.map((directive) => directive.kind));
    const plain = ['open', 'close', 'commodity', 'pad', 'balance', 'transaction'];
    expect(kinds).toEqual(new Set([...plain, 'price', 'event', 'note', 'query', 'custom']));
    expect(readJournal('d', '2020-01-01 document Assets:A "/tmp/a.pdf" #tag ^link').directives[0]?.kind).toBe(
      'document',
    );
  });

  it('reads flag, payee, narration, tags, links and metadata of a transaction', () => {
    const text = [
      'pushtag #trip',
      'pushmeta city: "Rome"',
      '2020/1/2 ! "Bar" "Two \\"shots\\"" #coffee ^bill-1',
      '  ^bill-2',
      '  time: "08:15"',
      '  cost: 2.50 USD',
      '  seen: TRUE',
      '  blank:',
      '; a comment between',
      '',
      '  * Expenses:Coffee  2.50 USD ; trailing',
      '    cup: "small"',
      '  Assets:Cash',
      'popmeta city:',
      'poptag #trip',
    ].join('\n');
    const transaction = parseTransaction(text);
    expect(transaction).toMatchObject({
      date: '2020-01-02',
      line: 3,
      flag: '!',
      payee: 'Bar',
      narration: 'Two "shots"',
      tags: ['trip', 'coffee'],
      links: ['bill-1', 'bill-2'],
      metadata: { city: 'Rome', time: '08:15', cost: '2.50 USD', seen: true, blank: null },
    });
    expect(transaction.postings).toMatchObject([
      { line: 11, flag: '*', account: 'Expenses:Coffee', metadata: { cup: 'small' } },
      { line: 13, flag: null, account: 'Assets:Cash', units: missing },
    ]);
  });

  it.each([
    ['1,234.50 USD', '1234.50 USD'],
    ['-1. USD', '-1 USD'],
    ['(1 + 2) * 3 / 4 USD', '2.25 USD'],
    ['-(2 - -0.50) USD', '-2.50 USD'],
    ['1 - 2 - 3 USD', '-4 USD'],
    ['12 / 3 / 2 X', '2 X'],
    ["+7 GC_JUN-20.A'B1", "7 GC_JUN-20.A'B1"],
  ])('reads the amount %s', (text, expected) => {
    expect(unitsOf(text)).toBe(expected);
  });

  it.each([
    ['{}', { perUnit: missing, total: null, currency: missing, date: null, label: null }],
    ['{2020-05-06, "lot"}', { perUnit: missing, total: null, currency: missing, date: '2020-05-06', label: 'lot' }],
    ['{USD}', { perUnit: missing, total: null, currency: 'USD' }],
    ['{{USD}}', { total: missing, currency: 'USD' }],
    ['{# USD}', { perUnit: missing, total: missing, currency: 'USD' }],
  ])('reads the cost %s', (text, expected) => {
    const [posting] = parseTransaction(`2020-01-01 *\n  Assets:A  1 XYZ ${text}`).postings;
    expect(posting?.cost).toMatchObject(expected);
  });

  it('converts a total price to a unit price with 28 digits, as Beancount does', () => {
    const [posting] = parseTransaction('2020-01-01 *\n  Assets:A  -3 XYZ @@ 10 USD').postings;
    const number = posting?.price?.number;
    expect(number !== undefined && number !== missing && formatDecimal(number)).toBe('3.333333333333333333333333333');
  });

  it('counts line numbers correctly after multi-line strings', () => {
    const text = '2020-01-01 * "a\nb\nc"\n  Assets:A  1 USD\n2020-01-02 * "next"';
    const lines = readJournal('t', text).directives.map((directive) => directive.line);
    expect(lines).toEqual([1, 5]);
  });

  it('skips outline headings and comments, even with Windows line ends', () => {
    const text = '* Heading\r\n** More\r\n#+STARTUP: x\r\n;; note\r\n2020-01-01 open Assets:A\r\n';
    expect(readJournal('t', text).directives).toHaveLength(1);
  });

  it('sorts directives by date, then opens, balances, others, documents and closes, then by line', () => {
    const text = [
      '2020-01-02 close Assets:A',
      '2020-01-02 document Assets:A "x"',
      '2020-01-02 * "second"',
      '2020-01-02 balance Assets:A 1 USD',
      '2020-01-02 open Assets:A',
      '2020-01-01 * "first"',
    ].join('\n');
    const kinds = readJournal('t', text).directives.map((directive) => directive.kind);
    expect(kinds).toEqual(['transaction', 'open', 'balance', 'transaction', 'document', 'close']);
  });
});

describe('errors of parse-journal', () => {
  it('name all lines with instructions at once', () => {
    const text = readFileSync(join(fixtures, 'syntax-errors.beancount'), 'utf8');
    const problems = problemsOf(text);
    const lines = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22];
    expect(problems.map((problem) => Number.parseInt(problem, 10)).toSorted((a, b) => a - b)).toEqual(lines);
    expect(problems).toContain('2: 2020-02-30 is not a day of the calendar; correct the date.');
    expect(problems).toContain('10: this expression divides by zero.');
    expect(problems).toContain('12: cost in USD and price in EUR differ; give both in one currency.');
  });

  it('stop the import before it writes anything', () => {
    expect(() => readJournal('book.beancount', '2020-01-01 opne Assets:A')).toThrow(
      'book.beancount:1: "opne" is not a directive',
    );
  });

  it('report an indented line where none is allowed', () => {
    expect(problemsOf('option "title" "x"\n  a: "b"')).toEqual([
      '2: this line is indented but the line before it takes no details; remove the indent.',
    ]);
  });

  it('report a number with one digit too many', () => {
    const digits = '1'.repeat(journalLimits.maxNumberDigits);
    expect(problemsOf(`2020-01-01 *\n  Assets:A  ${digits} USD`)).toEqual([]);
    expect(problemsOf(`2020-01-01 *\n  Assets:A  ${digits}1 USD`)).toHaveLength(1);
  });

  it('report an expression nested one level too deep', () => {
    const nested = (depth: number): string => `2020-01-01 *\n  Assets:A  ${'('.repeat(depth)}1${')'.repeat(depth)} USD`;
    expect(problemsOf(nested(journalLimits.maxExpressionDepth))).toEqual([]);
    expect(problemsOf(nested(journalLimits.maxExpressionDepth + 1))).toHaveLength(1);
  });

  it('report a transaction with one posting too many', () => {
    const postings = (count: number): string => `2020-01-01 *\n${'  Assets:A  0 USD\n'.repeat(count)}`;
    expect(problemsOf(postings(journalLimits.maxPostingsPerTransaction))).toEqual([]);
    expect(problemsOf(postings(journalLimits.maxPostingsPerTransaction + 1))).toHaveLength(1);
  });
});
