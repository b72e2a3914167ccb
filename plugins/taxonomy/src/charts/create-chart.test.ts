import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { library, openTaxonomyStore, smallChart, type TaxonomyStore } from '../../test/taxonomy-store.ts';
import { listElements, listStructures, listTaxonomies } from '../blocks/taxonomy-reads.ts';
import { allAccounts, countAccounts, findAccounts, findAccountsByCode, listAccounts } from './accounts.ts';
import { chartExists, createChart } from './create-chart.ts';
import {
  findBookMappingId,
  findMappingConcepts,
  listAssociations,
  listCoverage,
  listMappings,
  listUnmapped,
} from './mappings.ts';

let opened: TaxonomyStore;

beforeAll(async () => {
  opened = await openTaxonomyStore();
});

afterAll(() => opened.close());

describe('chart from a template', () => {
  it('creates accounts in natural code order with balance sides and period types from their traits (ledger L-22, L-36)', async () => {
    await opened.inGraph('kg_chart', async (tx) => {
      expect(await chartExists(tx)).toBe(false);
      const chart = await createChart(tx, smallChart, { ids: opened.ids, library });
      expect(chart).toMatchObject({ mappingsCreated: 3, unresolved: ['rs-gaap:NoSuchConcept'] });
      expect(await chartExists(tx)).toBe(true);
      const accounts = await allAccounts(tx, false);
      expect(accounts.map(({ code }) => code)).toEqual(['900', '1000', '3000', '4000', '6000']);
      expect(accounts.map(({ balanceType }) => balanceType)).toEqual(['debit', 'debit', 'credit', 'credit', 'debit']);
      expect(accounts.map(({ periodType }) => periodType)).toEqual([
        'instant',
        'instant',
        'instant',
        'duration',
        'duration',
      ]);
    });
  });

  it('returns accounts by id, by code and by page (ledger L-36)', async () => {
    await opened.inGraph('kg_chart', async (tx) => {
      const cash = (await findAccountsByCode(tx, ['1000', 'none'], undefined)).get('1000');
      expect(cash).toMatchObject({ name: 'Cash', liquidity: 'current', qname: 'coa:1000', isActive: true });
      expect([...(await findAccounts(tx, [cash?.id ?? '', 'elem_unknown'])).keys()]).toEqual([cash?.id]);
      const page = await listAccounts(tx, { limit: 2, offset: 1 });
      expect(page.accounts.map(({ code }) => code)).toEqual(['1000', '3000']);
      expect(page.total).toBe(5);
      expect(await listAccounts(tx, { trait: 'asset', limit: 10, offset: 10 })).toEqual({ accounts: [], total: 2 });
      expect(await countAccounts(tx)).toBe(5);
    });
  });

  it('hides the chart from other graphs', async () => {
    await opened.inGraph('kg_other', async (tx) => {
      expect(await countAccounts(tx)).toBe(0);
      expect(await listMappings(tx)).toEqual([]);
      expect(await findBookMappingId(tx)).toBeUndefined();
    });
  });

  it('returns the concept of each account in one read (taxonomy M-1)', async () => {
    await opened.inGraph('kg_chart', async (tx) => {
      const mappingId = await findBookMappingId(tx);
      const mapping = await findMappingConcepts(tx, mappingId ?? '');
      expect(mapping?.name).toBe('CoA to US GAAP Mapping');
      expect(mapping?.arcs.map(({ concept }) => concept.qname).sort()).toEqual([
        'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
        'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
        'rs-gaap:CommonStockValue',
      ]);
      expect(await findMappingConcepts(tx, 'struct_unknown')).toBeUndefined();
      expect((await listCoverage(tx, mappingId ?? '')).filter(({ target_id }) => target_id === null)).toHaveLength(2);
      expect((await listUnmapped(tx, mappingId, 100)).map(({ code }) => code)).toEqual(['4000', '6000']);
      expect(await listAssociations(tx, mappingId ?? '')).toHaveLength(3);
    });
  });

  it('lists the chart among taxonomies, structures and elements', async () => {
    await opened.inGraph('kg_chart', async (tx) => {
      expect((await listTaxonomies(tx)).map(({ taxonomy_type }) => taxonomy_type).sort()).toEqual([
        'chart_of_accounts',
        'mapping',
      ]);
      expect(await listStructures(tx, { blockType: 'coa_mapping' })).toHaveLength(1);
      const page = { limit: 3, offset: 0, libraryTaxonomyIds: library.rows.taxonomies.map(({ id }) => id) };
      expect((await listElements(tx, page)).total).toBe(5 + library.rows.elements.length);
      const own = await listElements(tx, { ...page, source: 'native', trait: 'asset' });
      expect(own.elements.map(({ code }) => code)).toEqual(['900', '1000']);
    });
  });
});
