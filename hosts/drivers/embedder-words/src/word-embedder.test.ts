import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { maxEmbeddedTexts } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { readLexicon } from './lexicon.ts';
import { describeEmbedder } from './testing/describe-embedder.ts';
import { wordEmbedder } from './word-embedder.ts';
import { readWordTable } from './word-table.ts';
import { maxReadCharacters } from './words-of-text.ts';

const signal = new AbortController().signal;

describeEmbedder('words', async () => ({ embedder: wordEmbedder(), close: async () => undefined }));

const embedder = wordEmbedder();

function embedded(...texts: string[]): Promise<readonly Float32Array[]> {
  return embedder.embed(texts, 'query', { signal });
}

const dot = (left: Float32Array | undefined, right: Float32Array | undefined): number =>
  left?.reduce((sum, value, index) => sum + value * (right?.[index] ?? 0), 0) ?? 0;

/** The candidate that is nearest to a text. */
async function nearest(text: string, candidates: readonly string[]): Promise<string | undefined> {
  const [query, ...vectors] = await embedded(text, ...candidates);
  const scores = vectors.map((vector) => dot(query, vector));
  return candidates[scores.indexOf(Math.max(...scores))];
}

const labels = [
  'Cash and Cash Equivalents',
  'Accounts Receivable, Net',
  'Inventory, Net',
  'Property, Plant and Equipment, Net',
  'Goodwill and Intangible Assets',
  'Accounts Payable',
  'Deferred Revenue from Customers',
  'Long-Term Debt and Borrowings',
  'Shareholders Equity and Retained Profits',
  'Revenue from Sales',
  'Cost of Goods Sold',
  'Selling, General and Administrative Expenses',
  'Research and Development Expenses',
  'Income Tax Expense',
  'Wages and Salaries of Employees',
];

describe('wordEmbedder', () => {
  it.each([
    ['A/R', 'Accounts Receivable, Net'],
    ['debtors', 'Accounts Receivable, Net'],
    ['AP', 'Accounts Payable'],
    ['PP&E', 'Property, Plant and Equipment, Net'],
    ['machines and buildings', 'Property, Plant and Equipment, Net'],
    ['COGS', 'Cost of Goods Sold'],
    ['SG&A', 'Selling, General and Administrative Expenses'],
    ['R&D', 'Research and Development Expenses'],
    ['unearned revenue', 'Deferred Revenue from Customers'],
    ['petty cash', 'Cash and Cash Equivalents'],
    ['revolving credit', 'Long-Term Debt and Borrowings'],
    ['payroll', 'Wages and Salaries of Employees'],
    ['patents', 'Goodwill and Intangible Assets'],
  ])('finds for %s the label "%s" by the lexicon and the vectors', async (text, label) => {
    expect(await nearest(text, labels)).toBe(label);
  });

  it('returns the vectors that its id stands for: others need a new id (ai-surface SR-13)', async () => {
    const { id } = embedder;
    const vectors = await embedded('Accounts receivable', 'P&L of Zzyzx-9 for 10-K', ...labels);
    // Rounded, because the last digits of a square root are not the subject.
    const rounded = vectors.map((vector) => [...vector].map((value) => Math.round(value * 1e4)));
    const digest = createHash('sha256').update(JSON.stringify(rounded)).digest('hex').slice(0, 16);
    expect({ id, digest }).toEqual({ id: 'words-100d-1', digest: '75802ade7632e9fb' });
  });

  it('gives an unknown word one vector in any case, far from those of others', async () => {
    const [name, same, other] = await embedded('Zzyzxcorp', 'zzyzxcorp', 'Qwfpgjluy');
    expect(dot(name, same)).toBeCloseTo(1, 5);
    expect(dot(name, other)).toBeLessThan(0.5);
  });

  it('gives unrelated labels of finance a cosine near 0, so that the least cosine of search separates them', async () => {
    const vectors = await embedded(...labels);
    const cosines = vectors.flatMap((left, index) => vectors.slice(index + 1).map((right) => dot(left, right)));
    expect(Math.abs(cosines.reduce((sum, value) => sum + value, 0) / cosines.length)).toBeLessThan(0.15);
  });

  it('reads the first 32,768 characters of a text', async () => {
    const filled = 'rent '.repeat(maxReadCharacters / 4).slice(0, maxReadCharacters - 9);
    const [bare, within, beyond] = await embedded(filled, `${filled} lawsuits`, `${filled}  lawsuits`);
    expect(within).not.toEqual(bare);
    // One character further, the last word is cut to another one.
    expect(beyond).not.toEqual(within);
    const [whole, longer] = await embedded('a b '.repeat(maxReadCharacters / 4), 'a b '.repeat(maxReadCharacters));
    expect(longer).toEqual(whole);
  });

  it.each([
    ['the texts of a call', maxEmbeddedTexts, 1, 250],
    ['many calls of a few short texts', 2, 200, 100],
    ['the words of a text', 1, 1, 16_000],
  ])('lets the event loop run other work between %s', async (_title, textCount, calls, words) => {
    const texts = Array.from({ length: textCount }, (_, at) => `w${at} `.repeat(words));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    for (let call = 0; call < calls; call += 1) await embedder.embed(texts, 'passage', { signal });
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(0);
  });

  it('stops between two texts when its caller aborts', async () => {
    const caller = new AbortController();
    const texts = Array.from({ length: maxEmbeddedTexts }, () => 'goodwill was impaired '.repeat(400));
    const embedding = embedder.embed(texts, 'passage', { signal: caller.signal });
    caller.abort(new Error('The caller is gone.'));
    await expect(embedding).rejects.toThrow('The caller is gone.');
  });
});

describe('readWordTable', () => {
  it('rejects a damaged and an incomplete file', async () => {
    const bytes = await readFile(new URL('./words.bin', import.meta.url));
    await expect(readWordTable(Buffer.from('PWV1'))).rejects.toThrow('damaged');
    await expect(readWordTable(Buffer.alloc(100))).rejects.toThrow('damaged');
    await expect(readWordTable(bytes.subarray(0, -1))).rejects.toThrow('incomplete');
  });

  it('has a vector for every word that the lexicon uses', async () => {
    const table = await readWordTable(await readFile(new URL('./words.bin', import.meta.url)));
    const lexicon = readLexicon(await readFile(new URL('./finance-lexicon.txt', import.meta.url), 'utf8'));
    const missing = new Set([...lexicon.terms.values()].flat().filter((word) => !table.rows.has(word)));
    expect([...missing]).toEqual([]);
  });
});

describe('readLexicon', () => {
  it('reads every term of the lexicon, which has each once', async () => {
    const text = await readFile(new URL('./finance-lexicon.txt', import.meta.url), 'utf8');
    const terms = text
      .split('\n')
      .filter((line) => line.includes(' = '))
      .flatMap((line) => line.split(' = ', 1).join('').split('|'))
      .map((term) => term.trim());
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
    expect(readLexicon(text).terms.size).toBe(terms.length);
  });

  it('maps each term of a line to its words, and skips comments and blank lines', () => {
    expect(readLexicon('# note\n\nap | accounts payable = owed suppliers\n')).toEqual({
      terms: new Map([
        ['ap', ['owed', 'suppliers']],
        ['accounts payable', ['owed', 'suppliers']],
      ]),
      firstWords: new Set(['accounts']),
    });
  });
});
