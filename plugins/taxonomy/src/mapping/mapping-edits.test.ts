/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conceptId, library, openTaxonomyStore, smallChart, type TaxonomyStore } from '../../test/taxonomy-store.ts';
import { createChart } from '../charts/create-chart.ts';
import { listAssociations } from '../charts/mappings.ts';

let opened: TaxonomyStore;

beforeAll(async () => {
  opened = await openTaxonomyStore();
});

afterAll(() => opened.close());

describe('mapping one account', () => {
  const graphId = 'kg_map';
  const account = new Map<string, string>();
  let mappingId = '';

  beforeAll(async () => {
    const chart = await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, { ids: opened.ids, library }));
    for (const [code, id] of chart.accountIdsByCode) account.set(code, id);
    mappingId = chart.mappingId ?? '';
  });

  const add = (code: string, concept: string, more: object = {}) =>
    opened.write(graphId, (work) =>
      opened.edits.add(work, {
        from_element_id: account.get(code) ?? code,
        to_element_id: concept,
        mapping_id: mappingId,
        ...more,
      }),
    );

  it('answers the arc, approved by the caller (taxonomy M-10)', async () => {
    const arc = await add('6000', conceptId('OperatingLeaseExpense'), { confidence: 0.9 });
    expect(arc).toMatchObject({
      from_element_name: 'Rent',
      to_element_qname: 'rs-gaap:OperatingLeaseExpense',
      approved_by: 'user_1',
    });
  });

  it('refuses the same arc and a second concept (taxonomy M-2)', async () => {
    await expect(add('6000', conceptId('OperatingLeaseExpense'))).rejects.toMatchObject({ code: 'ASSOCIATION_EXISTS' });
    await expect(add('6000', conceptId('ProfessionalFees'))).rejects.toMatchObject({ code: 'ACCOUNT_ALREADY_MAPPED' });
  });

  it.each([
    ['a total (taxonomy M-8)', 'Revenues', /target_rolled_up/],
    ['a heading', 'IncomeStatementAbstract', /target_not_mappable/],
    ['an instant for a movement (taxonomy 4.6)', 'InventoryNet', /period_type_mismatch/],
  ])('refuses %s as target', async (_title, concept, message) => {
    await expect(add('4000', conceptId(concept))).rejects.toThrow(message);
  });

  it.each(['presentation', 'calculation'])('takes no %s arc, and writes none (taxonomy M-1)', async (type) => {
    const before = await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId));
    const refused = add('4000', conceptId('Goodwill'), { association_type: type });
    await expect(refused).rejects.toMatchObject({ kind: 'invalid_input', message: expect.stringContaining(type) });
    expect(await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId))).toEqual(before);
  });

  it('takes a finer tag beside the arc that statements read (taxonomy M-1)', async () => {
    const tag = await add('6000', conceptId('OperatingLeaseExpense'), { association_type: 'equivalence' });
    expect(tag).toMatchObject({ association_type: 'equivalence' });
    await opened.write(graphId, (work) => opened.edits.remove(work, mappingId, tag.id));
  });

  it('tells unknown mappings, sources and targets apart (taxonomy 4.2)', async () => {
    await expect(
      add('4000', conceptId('RevenueNotFromContractWithCustomerOther'), { mapping_id: 'struct_x' }),
    ).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(add('elem_unknown', conceptId('Goodwill'))).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND' });
    await expect(add('4000', 'unknown')).rejects.toMatchObject({ code: 'TARGET_NOT_FOUND' });
    await expect(add(conceptId('Goodwill'), conceptId('Goodwill'))).rejects.toMatchObject({
      code: 'LIBRARY_IMMUTABLE',
    });
    await expect(
      add('4000', conceptId('RevenueNotFromContractWithCustomerOther'), { confidence: 1.01 }),
    ).rejects.toThrow(/confidence/);
  });

  it('answers a repeated arc and a second concept as conflicts also while history is closed (taxonomy 4.2, checks 10a and 11)', async () => {
    opened.history.months = { count: 1, first: '2025-01', last: '2025-01' };
    const cash = conceptId('CashAndCashEquivalentsAtCarryingValue');
    await expect(add('1000', cash)).rejects.toMatchObject({ kind: 'conflict', code: 'ASSOCIATION_EXISTS' });
    await expect(add('1000', conceptId('InventoryNet'))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'ACCOUNT_ALREADY_MAPPED',
    });
    await expect(add('1000', conceptId('Assets'))).rejects.toThrow(/target_rolled_up/);
    await expect(add('1000', cash, { confidence: 2 })).rejects.toThrow(/confidence/);
    opened.history.months = undefined;
  });

  it('leaves closed months alone and names them (taxonomy T-40)', async () => {
    opened.history.months = { count: 2, first: '2025-01', last: '2025-02' };
    const arcs = await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId));
    const [arc] = arcs;
    const remove = () => opened.write(graphId, (work) => opened.edits.remove(work, mappingId, arc?.id ?? ''));
    await expect(remove()).rejects.toThrow(/2025-01–2025-02/);
    const added = add('4000', conceptId('RevenueFromContractWithCustomerExcludingAssessedTax'));
    await expect(added).rejects.toMatchObject({ kind: 'invalid_input', message: expect.stringMatching(/2025-02/) });
    opened.history.months = undefined;
    await remove();
    expect(await opened.inGraph(graphId, (tx) => listAssociations(tx, mappingId))).toHaveLength(arcs.length - 1);
    await expect(remove()).rejects.toMatchObject({ kind: 'not_found' });
  });
});
