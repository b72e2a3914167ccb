/** @module-tag sessions */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  conceptId,
  library,
  now,
  openTaxonomyStore,
  shippedRelease,
  smallChart,
  type TaxonomyStore,
} from '../../test/taxonomy-store.ts';
import { createChart } from '../charts/create-chart.ts';
import { findMappingConcepts } from '../charts/mappings.ts';
import type { TaxonomyAssociation, TaxonomyElement } from '../rows.gen.ts';
import { libraryUpgradeReport } from './library-upgrade.ts';

let opened: TaxonomyStore;

beforeAll(async () => {
  opened = await openTaxonomyStore();
});

afterAll(() => opened.close());

describe('seedLibrary', () => {
  it('writes every row once, and nothing when it runs again (taxonomy LB-5, LB-7)', async () => {
    expect(await opened.seed()).toEqual({ status: 'unchanged' });
    const counts = await opened.inGraph('library', async (tx) => {
      const one = async (table: string) =>
        (
          await tx.query(
            sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where graph_id = 'library'`,
          )
        )[0]?.n;
      return [await one('taxonomy_element'), await one('taxonomy_structure'), await one('taxonomy_association')];
    });
    const { elements, structures, associations } = library.rows;
    expect(counts).toEqual([elements.length, structures.length, associations.length]);
  });

  it('builds no rows when the stored version is current (taxonomy LB-7)', async () => {
    const { hash } = shippedRelease;
    const release = {
      hash,
      get rows(): never {
        throw new Error('The rows were made.');
      },
    };
    expect(await opened.seed(release)).toEqual({ status: 'unchanged' });
    await expect(opened.seed({ ...shippedRelease, hash: 'other' })).resolves.toMatchObject({ status: 'seeded' });
    await opened.seed();
  });

  it('updates only the arc that changed (taxonomy LB-5)', async () => {
    const later = new Date('2026-02-01T00:00:00Z');
    const [first, ...rest] = library.rows.associations;
    if (first === undefined) throw new Error('The library has no arcs.');
    const changed = { ...library.rows, associations: [{ ...first, orderValue: 99 }, ...rest] };
    expect(await opened.seed({ rows: changed, hash: 'other', now: later })).toMatchObject({ status: 'seeded' });
    const touched = await opened.inGraph('library', (tx) =>
      tx.query(sql<
        Pick<TaxonomyAssociation, 'id'>
      >`select id from taxonomy_association where graph_id = 'library' and updated_at = ${later}
        union all select id from taxonomy_element where graph_id = 'library' and updated_at = ${later}`),
    );
    expect(touched).toEqual([{ id: first.id }]);
    expect(await opened.seed()).toEqual({ status: 'seeded', movedGraphs: [] });
  });

  const deprecated = () =>
    opened.inGraph('library', (tx) =>
      tx.query(
        sql<Pick<TaxonomyElement, 'id'>>`select id from taxonomy_element where graph_id = 'library' and is_deprecated`,
      ),
    );
  const without = (id: string) => ({
    ...library.rows,
    elements: library.rows.elements.filter((element) => element.id !== id),
  });

  it('marks a concept that is no longer shipped, and keeps its row (taxonomy LB-5)', async () => {
    const later = new Date('2026-03-01T00:00:00Z');
    const goodwill = conceptId('Goodwill');
    await opened.seed({ rows: without(goodwill), hash: 'without goodwill', now: later });
    expect(await deprecated()).toEqual([{ id: goodwill }]);
    await opened.seed();
    expect(await deprecated()).toEqual([]);
  });

  it('rejects a release that removes mapped concepts, and names them (taxonomy LB-11)', async () => {
    const graphId = 'kg_mapped';
    const chart = await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, { ids: opened.ids, library }));
    const cash = conceptId('CashAndCashEquivalentsAtCarryingValue');
    const rows = without(cash);
    expect((await libraryUpgradeReport(opened.store, rows)).held).toEqual([
      { graphId, qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue', accounts: 2 },
    ]);
    await expect(opened.seed({ rows, hash: 'without cash', now })).rejects.toThrow(
      /kg_mapped: rs-gaap:CashAndCashEquivalentsAtCarryingValue \(2 account\(s\)\)\. Return to the previous release/,
    );
    expect(await deprecated()).toEqual([]);
    expect(await opened.seed()).toEqual({ status: 'unchanged' });
    const mapping = await opened.inGraph(graphId, (tx) => findMappingConcepts(tx, chart.mappingId ?? ''));
    expect(mapping?.arcs.map(({ concept }) => concept.id)).toContain(cash);
  });

  it('updates a changed name, side and rule, and no other row (taxonomy LB-5)', async () => {
    const later = new Date('2026-04-01T00:00:00Z');
    const [element, ...elements] = library.rows.elements;
    const [rule, ...rules] = library.rows.rules;
    if (element === undefined || rule === undefined) throw new Error('The library is empty.');
    const changed = {
      ...library.rows,
      elements: [{ ...element, name: 'A better label' }, ...elements],
      rules: [{ ...rule, expression: '$A = $B' }, ...rules],
    };
    await opened.seed({ rows: changed, hash: 'better', now: later });
    const touched = await opened.inGraph('library', (tx) =>
      tx.query(sql<
        Pick<TaxonomyElement, 'id'>
      >`select id from taxonomy_element where graph_id = 'library' and updated_at = ${later}
        union all select id from taxonomy_rule where graph_id = 'library' and updated_at = ${later}
        union all select id from taxonomy_association where graph_id = 'library' and updated_at = ${later}
        union all select id from taxonomy_structure where graph_id = 'library' and updated_at = ${later}`),
    );
    expect(touched).toEqual([{ id: element.id }, { id: rule.id }]);
    await opened.seed();
  });

  it('makes the library readable by every graph and writable by none (taxonomy T-42)', async () => {
    await opened.inGraph('kg_reader', async (tx) => {
      const rows = await tx.query(sql<{ n: number }>`select count(*)::int as n from taxonomy_element`);
      expect(rows[0]?.n).toBe(library.rows.elements.length);
      expect(
        await tx.query(sql`update taxonomy_element set name = 'x' where graph_id = 'library' returning id`),
      ).toEqual([]);
    });
    const steal = opened.inGraph('kg_reader', (tx) =>
      tx.query(sql`insert into taxonomy_library_version (graph_id, package, content_hash, seeded_at)
        values ('library', 'forged', 'x', ${now})`),
    );
    await expect(steal).rejects.toThrow();
  });
});
