/** @module-tag sessions */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conceptId, library, openTaxonomyStore, type TaxonomyStore } from '../../test/taxonomy-store.ts';
import { evaluateTaxonomy } from './rule-reads.ts';

let opened: TaxonomyStore;
const graphId = 'kg_delete';

beforeAll(async () => {
  opened = await openTaxonomyStore();
});

afterAll(() => opened.close());

const makeChart = () =>
  opened.write(graphId, (work) =>
    opened.blocks.create(work, {
      name: 'Chart',
      taxonomy_type: 'chart_of_accounts',
      elements: [
        { qname: 'coa:1000', code: '1000', name: 'Cash', trait: 'asset' },
        { qname: 'coa:6000', code: '6000', name: 'Rent', trait: 'expense' },
      ],
      structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
      associations: [
        {
          structure_ref: 'To GAAP',
          from_ref: 'coa:1000',
          to_ref: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
          association_type: 'mapping',
        },
      ],
    }),
  );
const remove = (taxonomyId: string, more: object = {}) =>
  opened.write(graphId, (work) => opened.blocks.remove(work, { taxonomy_id: taxonomyId, reason: 'A trial', ...more }));
const rows = () =>
  opened.inGraph(graphId, async (tx) => {
    const counts = await tx.query(sql<{ total: number }>`
      select count(*)::int as total from taxonomy_taxonomy where graph_id = ${graphId}
      union all select count(*)::int from taxonomy_element where graph_id = ${graphId}
      union all select count(*)::int from taxonomy_structure where graph_id = ${graphId}
      union all select count(*)::int from taxonomy_association where graph_id = ${graphId}
      union all select count(*)::int from taxonomy_rule where graph_id = ${graphId}`);
    return counts.map(({ total }) => total);
  });

describe('deleting a taxonomy', () => {
  it('is refused for facts, lines and protected sets in this order, then takes everything (taxonomy T-37, T-38)', async () => {
    const chart = await makeChart();
    const elementIds = (chart.elements ?? []).map(({ id }) => id);
    const before = await rows();
    expect(before).toEqual([2, 2, 1, 1, 5]);
    opened.history.facts = elementIds;
    opened.history.used = elementIds.slice(0, 1);
    opened.history.protectedSets = { count: 3, first: '2025-01', last: '2025-03' };
    await expect(remove(chart.id)).rejects.toThrow(/^2 fact\(s\)/);
    await expect(remove(chart.id, { cascade_facts: true })).rejects.toThrow(/^1 element\(s\) have journal lines/);
    opened.history.used = [];
    await expect(remove(chart.id, { cascade_facts: true })).rejects.toThrow(/2025-01–2025-03/);
    expect(await rows()).toEqual(before);
    expect(opened.history.facts).toEqual(elementIds);

    opened.history.protectedSets = undefined;
    expect(await remove(chart.id, { cascade_facts: true })).toMatchObject({ facts_deleted: 2, cascade_applied: true });
    expect(await rows()).toEqual([0, 0, 0, 0, 0]);
    expect(opened.history.resultsRemoved).toHaveLength(5);
    expect(opened.history.unlinked).toContain(chart.id);
    const [kept] = await opened.inGraph(graphId, (tx) =>
      tx.query(sql`select reason, facts_deleted, was_primary_chart, deleted_by from taxonomy_deletion
        where graph_id = ${graphId} and taxonomy_id = ${chart.id}`),
    );
    // The record says that the entity has no primary chart from now on (taxonomy T-39).
    expect(kept).toEqual({ reason: 'A trial', facts_deleted: 2, was_primary_chart: true, deleted_by: 'user_1' });
  });

  it('removes rules about an arc with the arc (taxonomy M-11)', async () => {
    const chart = await makeChart();
    const arc = chart.associations?.[0];
    await opened.inGraph(graphId, (tx) =>
      tx.query(sql`insert into taxonomy_rule (graph_id, id, taxonomy_id, name, rule_category, rule_pattern, origin,
          target_kind, target_id, created_by, created_at, updated_at)
        values (${graphId}, 'rule_arc', ${chart.id}, 'About an arc', 'ToDoManualTask', 'Exists', 'native',
          'association', ${arc?.id ?? ''}, 'user_1', now(), now())`),
    );
    const mappingId = arc?.structure_id ?? '';
    await opened.write(graphId, (work) => opened.edits.remove(work, mappingId, arc?.id ?? ''));
    const left = await opened.inGraph(graphId, (tx) =>
      tx.query(sql`select id from taxonomy_rule where graph_id = ${graphId} and id = 'rule_arc'`),
    );
    expect(left).toEqual([]);
    expect(opened.history.resultsRemoved).toContain('rule_arc');
    await remove(chart.id);
  });

  it('of elements with facts is an issue of the update (taxonomy T-31)', async () => {
    const chart = await makeChart();
    const rent = chart.elements?.find(({ qname }) => qname === 'coa:6000')?.id ?? '';
    opened.history.facts = [rent];
    const update = opened.write(graphId, (work) =>
      opened.blocks.update(work, { taxonomy_id: chart.id, elements_to_remove: ['coa:6000'] }),
    );
    await expect(update).rejects.toThrow(/element_has_facts/);
    const reclassify = () =>
      opened.write(graphId, (work) =>
        opened.blocks.update(work, {
          taxonomy_id: chart.id,
          elements_to_update: [{ qname: 'coa:6000', trait: 'loss' }],
        }),
      );
    opened.history.protectedSets = { count: 1, first: '2025-01', last: '2025-01' };
    // A closed statement shows the account's facts with the side that it had (taxonomy T-40).
    await expect(reclassify()).rejects.toThrow(/protected_facts/);
    opened.history.facts = [];
    opened.history.protectedSets = undefined;
    expect((await reclassify()).elements?.find(({ id }) => id === rent)?.trait).toBe('loss');
    expect(await rows()).toEqual([2, 2, 1, 1, 5]);
    await remove(chart.id);
  });
});

describe('a deployment without authoring', () => {
  it('takes charts and schedules, and no extensions and vocabularies (taxonomy T-5)', async () => {
    const create = (taxonomyType: 'reporting_extension' | 'custom_ontology' | 'schedule') =>
      opened.write(graphId, (work) =>
        opened.blocks.create(work, {
          name: 'X',
          taxonomy_type: taxonomyType,
          parent_taxonomy_id:
            library.taxonomyById(library.elementById(conceptId('Assets'))?.taxonomyId ?? '')?.id ?? null,
        }),
      );
    const own = await create('reporting_extension');
    opened.history.isAuthoringEnabled = false;
    const refusal = { kind: 'forbidden', code: 'TAXONOMY_AUTHORING_DISABLED' };
    await expect(create('reporting_extension')).rejects.toMatchObject(refusal);
    await expect(create('custom_ontology')).rejects.toMatchObject(refusal);
    const update = opened.write(graphId, (work) => opened.blocks.update(work, { taxonomy_id: own.id, name: 'Y' }));
    await expect(update).rejects.toMatchObject(refusal);
    expect((await rows())[0]).toBe(1);
    const schedule = await create('schedule');
    opened.history.isAuthoringEnabled = true;
    await remove(own.id);
    await remove(schedule.id);
  });
});

describe('structural checks of stored atoms', () => {
  it('pass for a new chart and fail when an end of an arc is gone (taxonomy section 6)', async () => {
    const chart = await makeChart();
    const evaluate = () => opened.inGraph(graphId, (tx) => evaluateTaxonomy(tx, chart.id, library));
    const failed = async () => (await evaluate())?.filter(({ status }) => status === 'fail');
    expect(await evaluate()).toHaveLength(5);
    expect(await failed()).toEqual([]);
    const cash = chart.elements?.find(({ qname }) => qname === 'coa:1000')?.id ?? '';
    await opened.inGraph(graphId, (tx) =>
      tx.query(sql`delete from taxonomy_element where graph_id = ${graphId} and id = ${cash}`),
    );
    expect(await failed()).toMatchObject([{ checkKind: 'NoOrphanArcs', offenders: [chart.associations?.[0]?.id] }]);
    expect(await opened.inGraph(graphId, (tx) => evaluateTaxonomy(tx, 'tax_x', library))).toBeUndefined();
  });

  it('know a shipped row that was changed behind the back of seeding (taxonomy section 6, T-42)', async () => {
    const own = await opened.write(graphId, (work) =>
      opened.blocks.create(work, {
        name: 'Own',
        taxonomy_type: 'reporting_extension',
        parent_taxonomy_id: library.elementById(conceptId('Goodwill'))?.taxonomyId ?? null,
        elements: [{ qname: 'acme:Goodwill', name: 'Own goodwill', parent_ref: 'rs-gaap:Goodwill' }],
      }),
    );
    const results = () => opened.inGraph(graphId, (tx) => evaluateTaxonomy(tx, own.id, library));
    const immutability = { checkKind: 'LibraryOriginImmutability' };
    expect(await results()).toContainEqual(expect.objectContaining({ ...immutability, status: 'pass' }));
    const rename = (name: string) =>
      opened.inGraph('library', (tx) =>
        tx.query(
          sql`update taxonomy_element set name = ${name} where graph_id = 'library' and id = ${conceptId('Goodwill')}`,
        ),
      );
    await rename('Bad will');
    expect(await results()).toContainEqual(
      expect.objectContaining({ ...immutability, status: 'fail', offenders: ['rs-gaap:Goodwill'] }),
    );
    await rename(library.elementById(conceptId('Goodwill'))?.name ?? '');
  });
});
