import { describe, expect, it } from 'vitest';
import { citationsIn, resolve } from './rules-citations.ts';
import { readDocument } from './rules-spec.ts';

const ships = readDocument('ships', '## 1. Hulls\n### 1.1 Masts\n### 1.2 Sails\n- **L-1** a\n- **L-2** b\n- **S-1** c');
const ports = readDocument('ports', '- **L-1** a\n- **L-1a** b\n- **L-2** c\n- **L-10** d\n- **K-1** e');
const documents = [ships, ports];
const names = documents.map(({ name }) => name);

const found = (text: string): readonly string[] =>
  citationsIn(text, names).map(
    ({ line, document = '', target, last = '' }) => `${line}|${document}|${target}${last === '' ? '' : `–${last}`}`,
  );
const meant = (text: string, home?: string): readonly unknown[] =>
  citationsIn(text, names).map((citation) => resolve(citation, home, documents));

describe('citationsIn', () => {
  it.each([
    ['a rule', '(ships L-1)', ['1|ships|L-1']],
    ['a rule at the start of a sentence', '// Ships L-1: why.', ['1|ships|L-1']],
    ['a list of rules', '(ships L-1, L-2 and S-1)', ['1|ships|L-1', '1|ships|L-2', '1|ships|S-1']],
    ['several documents', '(ships L-1; ports L-1a)', ['1|ships|L-1', '1|ports|L-1a']],
    ['a range', '(ports L-1 to L-10)', ['1|ports|L-1–L-10']],
    ['a range with a dash', 'ports L-1…L-10', ['1|ports|L-1–L-10']],
    ['sections', '(ships section 1, ships 1.1, 1.2)', ['1|ships|1', '1|ships|1.1', '1|ships|1.2']],
    ['a list of sections', 'Ships sections 1, 1.1 and 2 hold.', ['1|ships|1', '1|ships|1.1', '1|ships|2']],
    ['a list of sections after a rule', '(ships L-1, sections 1 and 2)', ['1|ships|L-1', '1|ships|1', '1|ships|2']],
    ['a rule after a list of sections', '(ships sections 1 and 2, L-1)', ['1|ships|1', '1|ships|2', '1|ships|L-1']],
    ['a section in a list', '(ships L-1, section 1.2)', ['1|ships|L-1', '1|ships|1.2']],
    ['a section, then a rule', '(ships 1.1 rows 3 to 7, L-2)', ['1|ships|1.1', '1|ships|L-2']],
    ['a comment over two lines', '/** Why (ships\n   * L-1, L-2). */', ['2|ships|L-1', '2|ships|L-2']],
    ['a rule after an apostrophe', "By ships L-1 the book's hull and L-2.", ['1|ships|L-1', '1|ships|L-2']],
    ['a rule after a quoted word', "By ships L-1 the 'hull' and L-2.", ['1|ships|L-1', '1||L-2']],
    ['a rule after a misspelled document as one that stands alone', '(shps L-1, shps 1.1)', ['1||L-1']],
    ['a rule that stands alone', 'Why (L-1).', ['1||L-1']],
    ['a rule after the sentence that names a document', 'By ships L-1. Then L-2.', ['1|ships|L-1', '1||L-2']],
    ['a matrix', "rule: 'L-1, L-2'", ['1||L-1', '1||L-2']],
    ['a matrix with one rule', "rule: 'L-1'", ['1||L-1']],
    [
      'a rule between sections and a count',
      '(ships sections 1, 2, L-1, 3 rows)',
      ['1|ships|1', '1|ships|2', '1|ships|L-1'],
    ],
    ['one section before a count', '(ships section 1, 3 rows)', ['1|ships|1']],
    ['a section before a count in a sentence', '(ships 1, 3 rows)', ['1|ships|1']],
  ])('finds %s', (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['a number in prose', 'Two ships 1,000 miles apart; 12 ships; ports 8080.'],
    ['a name that is data', "invoice('L-1')"],
    ['a case number', 'B-001 and UTF-8'],
    ['a word that continues', 'L-1-x, WXL-1, L-1x2'],
  ])('passes over %s', (_what, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('resolve', () => {
  it('uses the named document from any folder', () => {
    expect(meant('(ports L-1)', 'ships')).toEqual([{ document: 'ports', targets: ['L-1'] }]);
  });

  it('resolves a bare id to the document of the folder, else to the only one with the prefix', () => {
    expect(meant('(L-1, K-1)', 'ships')).toEqual([
      { document: 'ships', targets: ['L-1'] },
      { document: 'ports', targets: ['K-1'] },
    ]);
  });

  it('expands a range to all rules in numeric order, including letters', () => {
    expect(meant('(ports L-1 to L-10)')).toEqual([{ document: 'ports', targets: ['L-1', 'L-1a', 'L-2', 'L-10'] }]);
    expect(meant('(ships 1.1 to 1.2)')).toEqual([{ document: 'ships', targets: ['1.1', '1.2'] }]);
  });

  it.each([
    ['a rule that the document has not', '(ships L-10)', 'docs/spec/ships.md has no L-10.'],
    ['a section that the document has not', '(ships 1.3)', 'docs/spec/ships.md has no 1.3.'],
    ['the end of a range', '(ships L-1 to L-9)', 'docs/spec/ships.md has no L-9.'],
    ['a range that goes back', '(ships L-2 to L-1)', '"L-2 to L-1" is not a range.'],
    [
      'an id of several documents in a folder of none',
      '(L-1)',
      'Several documents have rules of this prefix: name the document of L-1, such as "ships L-1" or "ports L-1".',
    ],
  ])('refuses %s', (_what, text, problem) => {
    expect(meant(text)).toEqual([{ problem }]);
  });

  it('rejects an id that the document of the folder lacks if several others have its prefix', () => {
    expect(meant('(L-10)', 'ships')).toEqual([
      {
        problem: 'docs/spec/ships.md has none: name the document of L-10, such as "ships L-10" or "ports L-10".',
      },
    ]);
  });

  it('ignores ids without the prefix of a rule', () => {
    expect(meant('Order Q-7')).toEqual([undefined]);
  });
});
