/** The suite of every search index: it uses only the port, so that all drivers find and rank the same. */
import {
  type IndexEntry,
  type IndexFilter,
  maxQueryTerms,
  type SearchIndex,
  SearchIndexError,
} from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeIsolation } from './describe-isolation.ts';
import { describeVectors } from './describe-vectors.ts';
import { entryWith, type Found, manyEntries, queryFor, type Write } from './entries.ts';
import { expectedScores } from './expected-scores.ts';

export interface SearchIndexUnderTest {
  readonly index: SearchIndex;
  dispose(): Promise<void>;
}

const options = { signal: new AbortController().signal };

/** Each test has graphs of its own, so the tests share one index. */
export function describeSearchIndex(name: string, create: () => Promise<SearchIndexUnderTest>): void {
  let subject: SearchIndexUnderTest;
  const index = (): SearchIndex => subject.index;
  const found = async (graphId: string, text: string, filter: IndexFilter = {}): Promise<readonly string[]> => {
    const { byText } = await index().search(graphId, queryFor(text, { filter }), options);
    return byText.map(({ id }) => id);
  };
  /** Replaces the entries whose ids begin with a prefix, by default all entries of the graph. */
  const write = (graphId: string, entries: readonly IndexEntry[], prefix = ''): Promise<void> =>
    index().replace(graphId, prefix, entries, options);

  describe(`search index ${name}`, () => {
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject.dispose());

    describeRanking(index, write);
    describeFilters(found, write);
    describeWrites(index, found, write);
    describeIsolation(index, found, write);
    describeVectors(index);
  });
}

function describeRanking(index: () => SearchIndex, write: Write): void {
  it.each(['w3 w77', 'w1', 'w120 W4', 'w12 w40 w300 w12'])(
    'orders the matches of %s by BM25 of the best field (ai-surface SR-10)',
    async (text) => {
      const entries = manyEntries(120);
      await write('kgranks', entries);
      const { byText, textTotal } = await index().search('kgranks', queryFor(text, { limit: 100 }), options);
      const expected = expectedScores(entries, text);
      expect(textTotal).toBe(expected.length);
      expect(byText.length).toBe(Math.min(100, expected.length));
      const scores = new Map(expected);
      for (const { id, score } of byText) {
        const wanted = scores.get(id) ?? 0;
        expect(Math.abs(score - wanted)).toBeLessThanOrEqual(wanted * 0.1);
      }
      expect(byText.slice(0, 5).map(({ id }) => id)).toEqual(expected.slice(0, 5).map(([id]) => id));
    },
  );

  it('finds entries with any of the terms, and none without them (ai-surface SR-10)', async () => {
    await write('kgany', [
      entryWith({ id: 'a_0', content: 'Leases of offices' }),
      entryWith({ id: 'b_0', content: 'Debt', sectionLabel: 'LEASES' }),
      entryWith({ id: 'c_0', content: 'Taxes' }),
    ]);
    const search = (text: string) => index().search('kgany', queryFor(text), options);
    expect((await search('leases debt')).textTotal).toBe(2);
    expect((await search('lease')).byText).toEqual([]);
    expect((await search('?! …')).byText).toEqual([]);
  });

  it('searches the first 250 different terms of a query (ai-surface SR-10)', async () => {
    await write('kgterms', [entryWith({ id: 'a_0', content: 'last' })]);
    const terms = Array.from({ length: maxQueryTerms }, (_term, at) => `t${at}`).join(' ');
    const search = (text: string) => index().search('kgterms', queryFor(text), options);
    expect((await search(`${terms.replace('t0', 't1')} last`)).textTotal).toBe(1);
    expect((await search(`${terms} last`)).textTotal).toBe(0);
  });

  it('orders equal scores by the newest filing, then by id, across pages (ai-surface SR-16)', async () => {
    const dates = ['2024-01-01', null, '2025-06-30', '2024-01-01', null];
    const entries = dates.map((filingDate, at) => entryWith({ id: `f${at}_0`, content: 'equal text', filingDate }));
    await write('kgties', [...entries].reverse());
    const page = async (offset: number) => {
      const { byText, textTotal } = await index().search('kgties', queryFor('equal', { limit: 2, offset }), options);
      expect(textTotal).toBe(5);
      return byText.map(({ id }) => id);
    };
    expect([await page(0), await page(2), await page(4), await page(6)]).toEqual([
      ['f2_0', 'f0_0'],
      ['f3_0', 'f1_0'],
      ['f4_0'],
      [],
    ]);
  });

  // More than a second: the limit of counted matches takes as many entries.
  it('counts up to 10,000 matches, and pages to the last of them (ai-surface SR-14)', async () => {
    const entries = Array.from({ length: 10_001 }, (_entry, at) =>
      entryWith({ id: `n_${String(at).padStart(5, '0')}`, content: at === 0 ? 'many few' : 'many' }),
    );
    await write('kgmany', entries);
    expect((await index().search('kgmany', queryFor('few'), options)).textTotal).toBe(1);
    const last = await index().search('kgmany', queryFor('many', { limit: 10, offset: 9_990 }), options);
    expect(last.textTotal).toBe(10_000);
    expect(last.byText).toHaveLength(10);
  }, 60_000);
}

function describeFilters(found: Found, write: Write): void {
  const filing = {
    entityTicker: 'ACME',
    entityName: 'Acme Rail & Iron, Inc.',
    entityCik: '0000320193',
    formType: '10-K',
    fiscalYear: 2025,
    filingDate: '2026-02-28',
    sectionId: 'item_1a',
    sourceType: 'narrative_section',
  };
  beforeAll(async () => {
    await write('kgfilters', [
      entryWith({ id: 'k_0', content: 'risk', ...filing }),
      entryWith({ id: 'k_1', content: 'risk', ...filing, formType: '10-K/A', filingDate: '2026-03-01' }),
      entryWith({ id: 'q_0', content: 'risk', entityName: 'Rail Partners', entityTicker: 'RAIL', entityCik: '77' }),
      entryWith({
        id: 'x_0',
        content: 'risk',
        sourceType: 'ixbrl_disclosure',
        sectionId: 'us-gaap:DebtDisclosureTextBlock',
        elementQname: 'us-gaap:DebtDisclosureTextBlock',
        xbrlElements: ['us-gaap:LongTermDebt', "acme:O'Debt"],
      }),
      entryWith({ id: 'u_0', content: 'risk', sectionId: 'bank' }),
    ]);
  });

  it.each([
    ['a CIK without its leading zeros', { entity: '320193' }, ['k_1', 'k_0']],
    ['a CIK with other leading zeros', { entity: '000000000077' }, ['q_0']],
    ['a ticker in lower case, which is also a word of another name', { entity: 'rail' }, ['k_1', 'k_0', 'q_0']],
    ['all words of a name in any order', { entity: 'iron acme' }, ['k_1', 'k_0']],
    ['a part of a word of a name, which does not match', { entity: 'acm' }, []],
    ['a form type exactly', { formType: '10-k' }, ['k_0']],
    ['an item in upper case', { section: 'ITEM_1A' }, ['k_1', 'k_0']],
    ['a disclosure', { section: 'us-gaap:DebtDisclosureTextBlock' }, ['x_0']],
    ['the section of a document', { section: 'bank' }, ['u_0']],
    ['the element of an entry', { element: 'us-gaap:DebtDisclosureTextBlock' }, ['x_0']],
    ['a tagged element with a quote', { element: "acme:O'Debt" }, ['x_0']],
    ['a source type', { sourceType: 'uploaded_doc' }, ['q_0', 'u_0']],
    ['a fiscal year', { fiscalYear: 2025 }, ['k_1', 'k_0']],
    ['a first date, inclusive', { filedFrom: '2026-03-01' }, ['k_1']],
    ['a last date, inclusive, without entries that have none', { filedTo: '2026-02-28' }, ['k_0']],
    ['two conditions', { entity: 'ACME', formType: '10-K/A' }, ['k_1']],
  ] as const)('filters by %s (ai-surface SR-2)', async (_what, filter, ids) => {
    expect(await found('kgfilters', 'risk', filter)).toEqual(ids);
  });

  it.each(["' OR 1=1 --", "x' OR 'a'='a", "\\' OR 1=1 --", '%', '_', '*', '"', "')", '{{', 'a\u0000b', "''"])(
    'takes the filter value %s as a value only',
    async (value) => {
      for (const field of ['entity', 'formType', 'section', 'element', 'sourceType', 'filedFrom'] as const) {
        const hits = await found('kgfilters', 'risk', { [field]: value, fiscalYear: 1900 });
        expect(hits, field).toEqual([]);
        if (field !== 'filedFrom') expect(await found('kgfilters', 'risk', { [field]: value }), field).toEqual([]);
      }
    },
  );
}

function describeWrites(index: () => SearchIndex, found: Found, write: Write): void {
  it('returns an entry with all that was stored', async () => {
    const { embedding: _vector, ...entry } = entryWith({
      id: 'doc_g_a_1',
      parentId: 'doc_g_a_0',
      part: 2,
      partCount: 3,
      nextId: 'doc_g_a_2',
      content: 'Line one\nline two 😀 \u{2F800} \u{10FFFD}',
      documentTitle: 'Títle "quoted"',
      sectionLabel: "O'Label",
      entityName: '株式会社',
      xbrlElements: [],
      tags: ['a', 'b c'],
      folder: 'x/y',
      fiscalYear: 2025,
      fiscalPeriod: 'Q1',
      accessionNumber: '0000320193-26-000001',
      contentUrl: 'https://example.org/a?b=c',
      generation: 9_007_199_254_740,
    });
    await write('kgwhole', [{ ...entry, embedding: null }]);
    expect(await index().entries('kgwhole', ['doc_g_a_1', 'doc_g_a_', 'doc_g_a_1'], options)).toEqual([entry]);
    expect(await index().entries('kgwhole', [], options)).toEqual([]);
    const { byText } = await index().search('kgwhole', queryFor('line'), options);
    expect(byText.map(({ id }) => id)).toEqual([entry.id]);
  });

  it.each(['Привет', 'straße', 'ΣΊΣΥΦΟΣ', '会計', 'كتاب', 'हिन्दी', 'e\u0301tude', '𝒳𝒴', '\u{20000}', '𐐀𐐁', '１２'])(
    'finds the word %s in any plane of Unicode',
    async (word) => {
      await write('kgplanes', [entryWith({ id: 'p_0', content: `before ${word}, after` })]);
      expect(await found('kgplanes', word)).toEqual(['p_0']);
      expect(await found('kgplanes', word.normalize('NFD'))).toEqual(['p_0']);
    },
  );

  it('stores texts with lone surrogates and control characters', async () => {
    await write('kgodd', [entryWith({ id: 'o_0', content: 'a\ud800b \u0000 \u0007 word', sectionLabel: '\udfff' })]);
    expect(await found('kgodd', 'word')).toEqual(['o_0']);
  });

  it('replaces exactly the entries of a prefix, whatever its characters (ai-surface D-16)', async () => {
    const others = ['doc_ga_1_0', 'doc%g%a_0', 'DOC_G_A_0', 'doc_g_a', "doc_g_a'0", 'doc_g_b_0'];
    for (const id of others) await write('kgprefix', [entryWith({ id, content: 'kept' })], id);
    const three = [0, 1, 2].map((at) => entryWith({ id: `doc_g_a_${at}`, content: 'first' }));
    await write('kgprefix', three, 'doc_g_a_');
    await write('kgprefix', [entryWith({ id: 'doc_g_a_0', content: 'second', generation: 2 })], 'doc_g_a_');
    expect(await found('kgprefix', 'first')).toEqual([]);
    expect(await found('kgprefix', 'second')).toEqual(['doc_g_a_0']);
    await write('kgprefix', [], 'doc_g_a_');
    expect(await index().stats('kgprefix', options)).toEqual({ entries: others.length, byModel: {} });
    expect([...(await found('kgprefix', 'kept'))].sort()).toEqual([...others].sort());
  });

  it('always shows a document to searches while it is replaced (ai-surface D-16)', async () => {
    await write('kgswap', [entryWith({ id: 's_0', content: 'steady' })], 's_');
    let isReplacing = true;
    const searching = (async () => {
      let searches = 0;
      for (; isReplacing || searches === 0; searches += 1) {
        const { textTotal } = await index().search('kgswap', queryFor('steady'), options);
        expect(textTotal).toBeGreaterThan(0);
      }
    })();
    for (let generation = 2; generation < 12; generation += 1) {
      await write('kgswap', [entryWith({ id: 's_0', content: 'steady', generation })], 's_');
    }
    isReplacing = false;
    await searching;
  });

  it('keeps every document of writers at the same time', async () => {
    const ids = Array.from({ length: 12 }, (_id, at) => `c${at}_0`);
    await Promise.all(
      ids.map((id) => write('kgwriters', [entryWith({ id, content: 'shared' })], `${id.slice(0, -1)}`)),
    );
    expect([...(await found('kgwriters', 'shared'))].sort()).toEqual([...ids].sort());
  });

  it('ranks by the current entries after many replacements (ai-surface SR-10)', async () => {
    const entries = manyEntries(60);
    for (let generation = 1; generation <= 4; generation += 1) {
      await write(
        'kgchurn',
        entries.map((entry) => ({ ...entry, generation })),
      );
    }
    const expected = expectedScores(entries, 'w3 w20');
    const { byText } = await index().search('kgchurn', queryFor('w3 w20'), options);
    expect(byText.length).toBe(Math.min(50, expected.length));
    expect(byText[0]?.id).toBe(expected[0]?.[0]);
  });

  it('reads as many entries as a page has, and rejects one more', async () => {
    const ids = Array.from({ length: 257 }, (_id, at) => `r_${at}`);
    await write(
      'kgread',
      ids.map((id) => entryWith({ id })),
    );
    expect(await index().entries('kgread', ids.slice(1), options)).toHaveLength(256);
    await expect(index().entries('kgread', ids, options)).rejects.toThrow(RangeError);
  });

  it('rejects a canceled call and more entries than the limit', async () => {
    const canceled = { signal: AbortSignal.abort() };
    await expect(index().search('kgcanceled', queryFor('a'), canceled)).rejects.toThrow(/abort/i);
    await expect(
      index().replace('kgcanceled', '', Array(20_001).fill(entryWith({ id: 'a' })), options),
    ).rejects.toThrow(RangeError);
    expect(new SearchIndexError('x').name).toBe('SearchIndexError');
  });
}
