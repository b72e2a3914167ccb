/** @module-tag sessions */
// Goal: a data folder of an earlier release is upgraded to the shipped library without losing mappings.
// Method: a store is seeded with the library as it was when StockholdersEquityOther was in the balance sheet, accounts
// are mapped to it, and then this release starts.
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  conceptId,
  library,
  openTaxonomyStore,
  type Release,
  smallChart,
  type TaxonomyStore,
} from '../../test/taxonomy-store.ts';
import { createChart } from '../charts/create-chart.ts';
import { findMappingConcepts, listAssociations } from '../charts/mappings.ts';
import { libraryUpgradeReport } from '../library-upgrades/library-upgrade.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { type FrameworkFileName, type FrameworkFiles, parseFrameworks } from './framework.ts';
import { readFrameworkFiles } from './framework-files.ts';
import { createLibraryCatalog } from './library-catalog.ts';
import { countTaxonomyArcs, listShownElements, listTreeArcs } from './library-reads.ts';

const retired = 'rs-gaap:StockholdersEquityOther';
const replacement = 'rs-gaap:OtherAdditionalCapital';
const graphId = 'kg_books';

/** The shipped files with the retired concept instead of its replacement. */
function earlierFiles(elementRow = 'monetary,credit,instant'): FrameworkFiles {
  const files = readFrameworkFiles();
  const changed = Object.entries(files).map(([name, text]) => {
    const earlier = text.replaceAll('OtherAdditionalCapital', 'StockholdersEquityOther');
    return [name, name === 'us-gaap/retired.csv' ? 'name,replaced_by\n' : earlier] as const;
  });
  const result: Record<FrameworkFileName, string> = { ...files, ...Object.fromEntries(changed) };
  const row = 'StockholdersEquityOther,Other Additional Capital,';
  const elements = result['us-gaap/elements.csv'];
  expect(elements).toContain(`${row}monetary,credit,instant`);
  return { ...result, 'us-gaap/elements.csv': elements.replace(`${row}monetary,credit,instant`, row + elementRow) };
}

const catalogOf = (files: FrameworkFiles) => createLibraryCatalog(parseFrameworks(files));
const releaseOf = (catalog: ReturnType<typeof catalogOf>): Release => ({ rows: catalog.rows, hash: 'earlier' });

describe('data folder with the library of an earlier release', () => {
  const earlier = catalogOf(earlierFiles());
  let opened: TaxonomyStore;
  let mappingId: string;

  async function openBooks(catalog = earlier): Promise<void> {
    opened = await openTaxonomyStore(releaseOf(catalog));
    const [first, ...accounts] = smallChart.accounts;
    if (first === undefined) throw new Error('The chart is empty.');
    const capital = { code: '3100', name: 'Other capital', trait: 'equity', concept: 'StockholdersEquityOther' };
    const chart = { ...smallChart, accounts: [first, ...accounts, capital] };
    const made = await opened.inGraph(graphId, (tx) => createChart(tx, chart, { ids: opened.ids, library: catalog }));
    mappingId = made.mappingId ?? '';
  }

  const targetsOf = async () => {
    const mapping = await opened.inGraph(graphId, (tx) => findMappingConcepts(tx, mappingId));
    return mapping?.arcs.map(({ concept }) => concept.qname).sort();
  };
  const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';

  beforeEach(() => openBooks());
  afterEach(() => opened.close());

  it('stores exactly the shipped concepts, balance sides and arcs after the upgrade (taxonomy LB-5, LB-7)', async () => {
    expect(await opened.seed()).toMatchObject({ status: 'seeded' });
    await opened.inGraph(graphId, async (tx) => {
      const taxonomyId = library.rows.elements.find(({ qname }) => qname === replacement)?.taxonomyId ?? '';
      const filter = { taxonomyId, hiddenTaxonomyIds: [], excludedIds: [] };
      const shown = await listShownElements(tx, filter, { limit: 1_000, offset: 0 });
      const own = library.elements.filter((element) => element.taxonomyId === taxonomyId);
      expect(new Map(shown.map((each) => [each.qname, each.balance_type]))).toEqual(
        new Map(own.map((each) => [each.qname, each.balanceType ?? 'debit'])),
      );
      const structures = new Set(
        library.rows.structures.flatMap((row) => (row.taxonomyId === taxonomyId ? [row.id] : [])),
      );
      const arcs = library.rows.associations.filter((arc) => structures.has(arc.structureId));
      expect(await countTaxonomyArcs(tx, { taxonomyId })).toBe(arcs.length);
      const children = await listTreeArcs(tx, [conceptId('StockholdersEquity')], undefined);
      const ids = children.map(({ child_id }) => child_id);
      expect(ids).toContain(conceptId('OtherAdditionalCapital'));
      expect(ids).not.toContain(earlier.elementByQname(retired)?.id);
    });
    expect(await opened.seed()).toEqual({ status: 'unchanged' });
  });

  it('moves mappings of a retired concept to its replacement (taxonomy LB-5, LB-11)', async () => {
    expect(await targetsOf()).toEqual([cash, cash, 'rs-gaap:CommonStockValue', retired]);
    const before = await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId));
    const report = await libraryUpgradeReport(opened.store, library.rows);
    expect(report).toMatchObject({
      held: [],
      moved: [{ graphId, qname: retired, accounts: 1, replacedBy: replacement }],
      changes: { dropped: [{ qname: retired }], calculations: [] },
    });
    expect(await opened.seed()).toEqual({ status: 'seeded', movedGraphs: [graphId] });
    expect(await targetsOf()).toEqual([cash, cash, 'rs-gaap:CommonStockValue', replacement]);
    const after = await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId));
    const kept = ({ id, from_element_id, suggested_by, approved_by }: (typeof after)[number]) => {
      return { id, from_element_id, suggested_by, approved_by };
    };
    const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
    expect(after.map(kept).sort(byId)).toEqual(before.map(kept).sort(byId));
    expect(opened.stale).toEqual([[graphId, 'library_resynced']]);
    const [row] = await opened.inGraph('library', (tx) =>
      tx.query(sql<Pick<TaxonomyElement, 'is_deprecated' | 'replaced_by'>>`select is_deprecated, replaced_by
        from taxonomy_element where graph_id = 'library' and qname = ${retired}`),
    );
    expect(row).toEqual({ is_deprecated: true, replaced_by: conceptId('OtherAdditionalCapital') });
  });

  it('resumes an interrupted start that had not moved the mappings (taxonomy LB-7)', async () => {
    await opened.seed();
    const old = earlier.elementByQname(retired)?.id ?? '';
    await opened.inGraph(graphId, (tx) =>
      tx.query(sql`update taxonomy_association set to_element_id = ${old}
        where graph_id = ${graphId} and to_element_id = ${conceptId('OtherAdditionalCapital')}`),
    );
    await opened.inGraph('library', (tx) =>
      tx.query(sql`update taxonomy_library_version set content_hash = 'earlier'`),
    );
    expect(await opened.seed()).toEqual({ status: 'seeded', movedGraphs: [graphId] });
    expect(await targetsOf()).toContain(replacement);
  });

  it('rejects the upgrade while a mapping would move to a concept of another side, and changes nothing (taxonomy LB-11)', async () => {
    await opened.close();
    await openBooks(catalogOf(earlierFiles('monetary,debit,instant')));
    await expect(opened.seed()).rejects.toThrow(
      `${graphId}: ${retired} (1 account(s)). Return to the previous release`,
    );
    expect(await targetsOf()).toContain(retired);
    expect(opened.stale).toEqual([]);
  });

  it('reads and maps retired concepts across graphs only in kernel transactions (taxonomy T-42)', async () => {
    const update = sql`update taxonomy_association set to_element_id = 'x' where association_type = 'mapping' returning id`;
    expect(await opened.inGraph('kg_other', (tx) => tx.query(update))).toEqual([]);
    expect(await targetsOf()).toContain(retired);
  });
});
