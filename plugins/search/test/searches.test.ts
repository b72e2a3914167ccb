import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexEntry, SearchIndex } from '@pacioli/core/ports';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, requireOwnDocuments } from '../src/documents/index.ts';
import { documentsOf, openLibrary, type SearchService, startSearch } from './search-service.ts';

const signal = new AbortController().signal;

describe('searches', () => {
  let folder: string;
  let running: SearchService;
  let index: SearchIndex;
  let docs: ReturnType<typeof documentsOf>;
  const filing = async (id: string, given: Partial<IndexEntry>): Promise<IndexEntry> => {
    const {
      entries: [entry],
    } = await entriesOf({
      graphId: 'g',
      documentId: id,
      title: `Filing ${id}`,
      content: 'Risks of the railway',
      tags: null,
      folder: null,
      sourceType: 'narrative_section',
    });
    if (entry === undefined) throw new Error('There is no entry.');
    return {
      ...entry,
      id: `${id}_0`,
      sectionId: 'item_1a',
      embedding: null,
      embeddingModel: null,
      generation: 1,
      ...given,
    };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
    index = lanceSearchIndex({ folder });
    running = await startSearch({ searchIndex: index });
    docs = documentsOf(running.owner, await openLibrary(running.owner));
    const years = [2023, 2024, 2025].map((year) =>
      filing(`f${year}`, {
        entityCik: '0000000042',
        entityTicker: 'RAIL',
        entityName: 'Rail Co',
        fiscalYear: year,
        formType: '10-K',
        filingDate: `${year + 1}-02-01`,
        accessionNumber: `0000000042-${year}`,
      }),
    );
    await index.replace(docs.graphId, 'f', await Promise.all(years), { signal });
    await docs.stored({ title: 'Note', content: 'Our view of the railway and of nothing else' });
    await docs.stored({ title: 'Trains', content: 'Locomotives carriages' });
  });
  afterAll(async () => {
    await running.service.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [{ query: ' ' }, 'query must be 1 to 500 characters.'],
    [{ query: 'x'.repeat(501) }, 'query must be 1 to 500 characters.'],
    [{ query: 'x', size: 0 }, 'size must be 1 to 50.'],
    [{ query: 'x', size: 51 }, 'size must be 1 to 50.'],
    [{ query: 'x', offset: -1 }, 'offset must be 0 to 10000.'],
    [{ query: 'x', offset: 9_991 }, 'offset + size is at most 10000. Narrow the search by filters.'],
    [{ query: 'x', snippet_chars: 79 }, 'snippet_chars must be 80 to 4000.'],
    [{ query: 'x', snippet_chars: 4_001 }, 'snippet_chars must be 80 to 4000.'],
    [{ query: 'x', date_from: '2026-02-30' }, 'date_from must be a date, YYYY-MM-DD.'],
    [{ query: 'x', date_from: '0000-01-01' }, 'date_from must be a date, YYYY-MM-DD.'],
    [{ query: 'x', date_to: '1.2.2026' }, 'date_to must be a date, YYYY-MM-DD.'],
    [{ query: 'x', fiscal_year: 10_000 }, 'fiscal_year must be 0 to 9999.'],
    [{ query: 'x', entity: '' }, 'entity must be 1 to 500 characters.'],
  ])('are refused with %j (ai-surface SR-1)', async (body, detail) => {
    const answer = await docs.search(body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(detail);
  });

  it.each([
    { query: 'x'.repeat(500), size: 50, offset: 9_950, snippet_chars: 80 },
    { query: '😀'.repeat(500), size: 1, offset: 0, snippet_chars: 4_000 },
    { query: 'railway', date_from: '2026-02-01', date_to: '2020-01-01' },
  ])('may be at the limits, and then find nothing: %j (ai-surface SR-1)', async (body) => {
    const answer = await docs.search(body);
    expect([answer.status, answer.body.hits]).toEqual([200, []]);
  });

  it('count all matches and return pages in a stable order (ai-surface SR-14, SR-16)', async () => {
    const page = async (offset: number) => {
      const { body } = await docs.search({ query: 'railway', size: 2, offset });
      expect(body.total).toBe(4);
      return body.hits.map((hit: { document_title: string }) => hit.document_title);
    };
    const all = [...(await page(0)), ...(await page(2))];
    expect(all.filter((title) => title !== 'Note')).toEqual(['Filing f2025', 'Filing f2024', 'Filing f2023']);
    expect(all).toHaveLength(4);
  });

  it('fold equal sections of the filings of an entity on request, unless an entity is asked for (ai-surface SR-15)', async () => {
    const grouped = (await docs.search({ query: 'railway', group: true })).body;
    expect(grouped.total).toBe(4);
    expect(grouped.hits).toHaveLength(2);
    const best = grouped.hits.find((hit: { fiscal_year: number }) => hit.fiscal_year === 2025);
    expect(best.also_in_filings).toBe(2);
    const ofEntity = (await docs.search({ query: 'railway', group: true, entity: 'rail' })).body;
    expect(ofEntity.hits.map((hit: { also_in_filings: unknown }) => hit.also_in_filings)).toEqual([null, null, null]);
  });

  it('apply the filters of a request (ai-surface SR-2)', async () => {
    const years = async (body: object) =>
      (await docs.search({ query: 'railway', ...body })).body.hits.map(
        (hit: { fiscal_year: number }) => hit.fiscal_year,
      );
    expect(await years({ entity: '42', fiscal_year: 2024 })).toEqual([2024]);
    expect(await years({ form_type: '10-k', date_from: '2025-01-01', date_to: '2025-12-31' })).toEqual([2024]);
    expect(await years({ section: 'ITEM_1A', source_type: 'narrative_section' })).toEqual([2025, 2024, 2023]);
    expect(await years({ element: 'us-gaap:None' })).toEqual([]);
  });

  it('rank by words for three quarters and by vectors for one (ai-surface SR-12)', async () => {
    const { body } = await docs.search({ query: 'locomotives carriages', semantic: true });
    expect(body.hits[0]).toMatchObject({ document_title: 'Trains' });
    expect(body.hits[0].score).toBeGreaterThan(0.75);
    expect(body.hits[0].score).toBeLessThanOrEqual(1);
    expect(body.total).toBe(body.hits.length);
    const similar = await docs.search({ query: 'locomotive carriage', semantic: true });
    expect(similar.body.hits[0]).toMatchObject({ document_title: 'Trains' });
    expect(similar.body.hits[0].score).toBeGreaterThan(0.05);
    expect(similar.body.hits[0].score).toBeLessThanOrEqual(0.25);
    expect(similar.body.hits[0].snippet).toContain('Locomotives');
    expect((await docs.search({ query: 'locomotive carriage' })).body.hits).toEqual([]);
  });

  it('find documents of shared repositories without giving their rows (ai-surface D-1)', () => {
    expect(() => requireOwnDocuments({ type: 'repository' })).toThrow(
      'Content operations are not available on shared repositories',
    );
    expect(() => requireOwnDocuments({ type: 'generic' })).not.toThrow();
  });
});
