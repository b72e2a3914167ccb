/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { library, openTaxonomyStore, smallChart, type TaxonomyStore } from '../../test/taxonomy-store.ts';
import { allAccounts } from '../charts/accounts.ts';
import { createChart } from '../charts/create-chart.ts';
import { listMappings } from '../charts/mappings.ts';
import type { BlockWork } from './block-work.ts';
import { listTaxonomies } from './taxonomy-reads.ts';

let opened: TaxonomyStore;

beforeAll(async () => {
  opened = await openTaxonomyStore();
});

afterAll(() => opened.close());

describe('create-taxonomy-block for a chart', () => {
  const graphId = 'kg_block';

  it('creates the chart as a whole, in any order of parents, and links it once (taxonomy T-27, T-28, T-30)', async () => {
    const envelope = await opened.write(graphId, (work) =>
      opened.blocks.create(work, {
        name: 'Own chart',
        taxonomy_type: 'chart_of_accounts',
        elements: [
          { qname: 'coa:1010', code: '1010', name: 'Checking', trait: 'asset', parent_ref: 'coa:1000' },
          { qname: 'coa:1000', code: '1000', name: 'Cash', trait: 'asset', element_type: 'abstract' },
          { qname: '', code: '2000', name: 'Loans', trait: 'liability' },
        ],
        structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
        associations: [
          {
            structure_ref: 'To GAAP',
            from_ref: 'coa:1010',
            to_ref: 'us-gaap:CashAndCashEquivalentsAtCarryingValue',
            association_type: 'mapping',
          },
        ],
      }),
    );
    expect(envelope).toMatchObject({
      display_name: 'Chart of Accounts',
      category: 'Chart',
      element_count: 3,
      association_count: 1,
    });
    expect(
      envelope.elements?.map(({ qname, depth, parent_qname, balance_type }) => [
        qname,
        depth,
        parent_qname,
        balance_type,
      ]),
    ).toEqual([
      ['coa:1000', 0, null, 'debit'],
      ['coa:1010', 1, 'coa:1000', 'debit'],
      ['coa:2000', 0, null, 'credit'],
    ]);
    expect(envelope.associations?.[0]?.to_element_qname).toBe('rs-gaap:CashAndCashEquivalentsAtCarryingValue');
    expect(opened.linked).toEqual([envelope.id]);
  });

  it('reports every issue at once (taxonomy T-23)', async () => {
    const broken = opened.write(graphId, (work) =>
      opened.blocks.create(work, {
        name: 'Broken',
        taxonomy_type: 'chart_of_accounts',
        elements: [
          { qname: 'x:1', name: 'One', trait: 'revenue', period_type: 'instant', code: '1', parent_ref: 'x:none' },
          { qname: 'x:2', name: 'Two', code: '1' },
          { qname: 'x:2', name: 'Three', trait: 'treasure', metadata: { origin: 'library' } },
          { qname: 'coa:1000', name: 'Taken', trait: 'asset', balance_type: 'credit' },
          { qname: 'rs-gaap:Assets', name: 'Shipped', trait: 'asset' },
        ],
        structures: [
          { name: 'S', block_type: 'balance_sheet' },
          { name: 'H', block_type: 'chart_of_accounts' },
        ],
        associations: [
          { structure_ref: 'nowhere', from_ref: 'x:1', to_ref: 'x:9', association_type: 'presentation' },
          { structure_ref: 'H', from_ref: 'x:1', to_ref: 'x:2', association_type: 'presentation' },
          { structure_ref: 'H', from_ref: 'x:2', to_ref: 'x:1', association_type: 'presentation' },
          { structure_ref: 'H', from_ref: 'x:1', to_ref: 'coa:1000', association_type: 'calculation', weight: 0 },
        ],
      }),
    );
    const error: unknown = await broken.catch((thrown: unknown) => thrown);
    const { fields, message } = error as { fields: { errors: { code: string }[] }; message: string }; // A ServiceError.
    const codes = new Set(fields.errors.map(({ code }) => code));
    for (const code of [
      'phantom_parent_ref',
      'phantom_structure_ref',
      'phantom_to_ref',
      'duplicate_element_qname',
      'duplicate_code',
      'qname_taken',
      'cycle_detected',
      'coa_period_type_mismatch',
      'coa_missing_classification',
      'unknown_trait',
      'coa_balance_mismatch',
      'block_type_not_allowed',
      'library_origin_smuggled',
      'zero_weight',
    ]) {
      expect([...codes]).toContain(code);
    }
    expect(message).toMatch(/^\d+ taxonomy block validation issue\(s\): \[reference_resolution\/phantom_parent_ref\]/);
  });

  it('rejects a reporting standard (taxonomy T-4)', async () => {
    const create = opened.write(graphId, (work) =>
      opened.blocks.create(work, { name: 'X', taxonomy_type: 'reporting_standard' }),
    );
    await expect(create).rejects.toMatchObject({ kind: 'disabled' });
  });
});

describe('update-taxonomy-block for a chart', () => {
  const graphId = 'kg_update';
  let taxonomyId = '';

  beforeAll(async () => {
    ({ taxonomyId } = await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, { ids: opened.ids, library })));
  });

  const update = (request: object) =>
    opened.write(graphId, (work) => opened.blocks.update(work, { taxonomy_id: taxonomyId, ...request }));

  it('adds, patches and removes in one step (taxonomy T-33)', async () => {
    const before = await update({});
    const removed = before.associations?.find(({ from_element_qname }) => from_element_qname === 'coa:900');
    const mapping = before.structures?.find(({ block_type }) => block_type === 'coa_mapping');
    const after = await update({
      name: 'Renamed',
      elements_to_add: [{ qname: 'coa:1200', code: '1200', name: 'Stock', trait: 'asset', parent_ref: 'coa:1000' }],
      elements_to_update: [
        { qname: 'coa:6000', name: 'Office rent' },
        { qname: 'coa:4000', is_active: false },
      ],
      elements_to_remove: ['coa:3000'],
      associations_to_remove: [removed?.id],
      associations_to_add: [
        {
          structure_ref: mapping?.id,
          from_ref: 'coa:1200',
          to_ref: 'rs-gaap:InventoryNet',
          association_type: 'mapping',
        },
      ],
    });
    expect(after.name).toBe('Renamed');
    expect(after.elements?.map(({ qname, name, depth }) => [qname, name, depth])).toEqual([
      ['coa:900', 'Petty cash', 0],
      ['coa:1000', 'Cash', 0],
      ['coa:1200', 'Stock', 1],
      ['coa:4000', 'Sales', 0],
      ['coa:6000', 'Office rent', 0],
    ]);
    expect(after.associations?.map(({ from_element_qname }) => from_element_qname).sort()).toEqual([
      'coa:1000',
      'coa:1200',
    ]);
    const active = await opened.inGraph(graphId, (tx) => allAccounts(tx, false));
    expect(active.map(({ code }) => code)).toEqual(['900', '1000', '1200', '6000']);
  });

  it.each([
    ['an unknown element', { elements_to_remove: ['coa:nope'] }, /unknown_element_qname/],
    ['an unknown structure', { structures_to_remove: ['struct_x'] }, /unknown_structure_id/],
    ['an unknown arc', { associations_to_remove: ['assoc_x'] }, /unknown_association_id/],
    ['removing a parent alone', { elements_to_remove: ['coa:1000'] }, /element_has_children/],
    [
      'retiring a parent of an active account (taxonomy T-34)',
      { elements_to_update: [{ qname: 'coa:1000', is_active: false }] },
      /element_has_active_children/,
    ],
    ['a cycle of parents', { elements_to_update: [{ qname: 'coa:1000', parent_ref: 'coa:1200' }] }, /parent_cycle/],
    [
      'a second mapping (taxonomy M-3)',
      { structures_to_add: [{ name: 'Again', block_type: 'coa_mapping' }] },
      /at most one mapping/,
    ],
  ])('rejects %s', async (_title, request, message) => {
    await expect(update(request)).rejects.toThrow(message);
  });

  it('keeps accounts with lines, and classifications under closed months (taxonomy T-31, T-40)', async () => {
    const accounts = await opened.inGraph(graphId, (tx) => allAccounts(tx, false));
    opened.history.used = accounts.filter(({ code }) => code === '900').map(({ id }) => id);
    await expect(update({ elements_to_remove: ['coa:900'] })).rejects.toThrow(/element_has_line_items/);
    opened.history.used = [];
    opened.history.months = { count: 1, first: '2025-01', last: '2025-01' };
    await expect(update({ elements_to_update: [{ qname: 'coa:6000', trait: 'loss' }] })).rejects.toThrow(
      /protected_facts/,
    );
    await expect(update({ elements_to_update: [{ qname: 'coa:6000', name: 'Rent' }] })).resolves.toBeDefined();
    opened.history.months = undefined;
  });

  it('deletes a mapping with its taxonomy (taxonomy M-4)', async () => {
    const mappingIds = (await opened.inGraph(graphId, listMappings)).map(({ id }) => id);
    await update({ structures_to_remove: mappingIds });
    expect(await opened.inGraph(graphId, listMappings)).toEqual([]);
    expect((await opened.inGraph(graphId, listTaxonomies)).map(({ taxonomy_type }) => taxonomy_type)).toEqual([
      'chart_of_accounts',
    ]);
  });

  it('returns 404 for a chart of another graph, and 501 for the library', async () => {
    const foreign = opened.write('kg_other', (work) => opened.blocks.update(work, { taxonomy_id: taxonomyId }));
    await expect(foreign).rejects.toMatchObject({ kind: 'not_found' });
    const shipped = library.rows.taxonomies[0]?.id ?? '';
    await expect(update({ taxonomy_id: shipped })).rejects.toMatchObject({ kind: 'disabled' });
  });
});

describe('blocks above the read limit', () => {
  it('rejects a block above the read limit, rather than checking or changing it in part (taxonomy T-23)', async () => {
    const graphId = 'kg_large';
    const parts = { ids: opened.ids, library };
    const { taxonomyId } = await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, parts));
    const headOf = () =>
      opened.inGraph(graphId, (tx) => tx.query(sql`select name from taxonomy_taxonomy where id = ${taxonomyId}`));
    const before = await headOf();
    const now = new Date('2026-05-04T12:00:00Z');
    await opened.inGraph(graphId, (tx) =>
      tx.query(sql`insert into taxonomy_structure
          (graph_id, id, taxonomy_id, name, block_type, created_by, created_at, updated_at)
        select ${graphId}, 'large_' || n, ${taxonomyId}, 'Large', 'custom', 'user_1', ${now}, ${now}
        from generate_series(1, 100001) as n`),
    );
    const renamed = opened.write(graphId, (work) =>
      opened.blocks.update(work, { taxonomy_id: taxonomyId, name: 'Renamed' }),
    );
    await expect(renamed).rejects.toMatchObject({ kind: 'too_large', code: 'TOO_MANY_ATOMS' });
    expect(await headOf()).toEqual(before);
  });
});

// An embedded store has one session and runs one transaction after the other.
for (const { name } of storeDrivers().filter(({ hasManySessions }) => hasManySessions)) {
  describe(`two requests on the store ${name}`, () => {
    it('rejects the second of two concurrent changes of one taxonomy, to be retried (taxonomy T-36)', async () => {
      const graphId = 'kg_busy';
      const parts = { ids: opened.ids, library };
      const { taxonomyId } = await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, parts));
      const rename = (name: string) =>
        opened.write(graphId, (work) => opened.blocks.update(work, { taxonomy_id: taxonomyId, name }));
      await opened.write(graphId, async (work) => {
        await opened.blocks.update(work, { taxonomy_id: taxonomyId, name: 'First' });
        await expect(rename('Second')).rejects.toMatchObject({ kind: 'conflict', code: 'TAXONOMY_BUSY' });
      });
      await expect(rename('Third')).resolves.toMatchObject({ name: 'Third' });
    });

    it('rejects the second of two concurrent requests for one name (taxonomy 1.3)', async () => {
      const create = (work: BlockWork) =>
        opened.blocks.create(work, {
          name: 'KPIs',
          taxonomy_type: 'custom_ontology',
          elements: [{ qname: 'kpi:Churn', name: 'Churn' }],
        });
      const graphId = 'kg_name';
      const outcomes = await Promise.allSettled([opened.write(graphId, create), opened.write(graphId, create)]);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      // The second request is rejected by the check or by the unique index.
      expect(refused).toHaveLength(1);
      expect(refused).toMatchObject([{ reason: { kind: expect.stringMatching(/^(conflict|invalid_input)$/) } }]);
    });
  });
}
