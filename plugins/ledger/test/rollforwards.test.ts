/** @module-tag sessions */
import { isServiceError, sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose } from './books.ts';
import { draft } from './close-books.ts';
import { openScheduleBooks, refusal, type ScheduleService, startScheduleService } from './schedule-books.ts';

let started: ScheduleService;
let book: Books;
beforeAll(async () => {
  started = await startScheduleService('2026-04-01T12:00:00Z');
  book = await openScheduleBooks(started.user, 'services', { earliest_data_period: '2026-03' });
  await posted([
    tagged('1510', 500_000, 0, { transaction_description_code: 'bought' }),
    tagged('1000', 0, 500_000, undefined),
  ]);
  await posted([tagged('1510', 20_000, 0, { flow_element_id: 'tag_freight' }), tagged('1000', 0, 20_000, undefined)]);
  await posted([tagged('1000', 90_000, 0, undefined), tagged('1510', 0, 90_000, undefined)]);
  await posted([tagged('1510', 7, 0, undefined), tagged('1000', 0, 7, undefined)], '2026-04-01');
  const draft = entry(book, '2026-03-20', [
    ['1510', 1_000, 0],
    ['1000', 0, 1_000],
  ]) as Loose; // `entry` returns the body of a request.
  await book.operation('create-event-block', { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
});
afterAll(async () => {
  await started.service.close();
});

/** A line item whose metadata has a flow tag. */
const tagged = (code: string, debit: number, credit: number, metadata: object | undefined) => ({
  element_id: book.id(code),
  debit_amount: debit,
  credit_amount: credit,
  metadata,
});
const posted = (lineItems: object[], date = '2026-03-15') =>
  book.operation(
    'create-event-block',
    entry(book, date, [], { metadata: { posting_date: date, memo: 'm', status: 'posted', line_items: lineItems } }),
  );

const filters = [
  { target_qname: 'coa:6700', predicate: { values: ['bought', 'built'] } },
  { target_qname: 'coa:6800', predicate: { values: ['tag_freight'] } },
  { target_qname: 'coa:6700', predicate: { values: ['never'] } },
];

async function create(payload: object): Promise<Loose> {
  return book.operation('create-information-block', {
    block_type: 'rollforward',
    payload: { name: 'Equipment', bs_source_qname: 'coa:1510', attribution_filters: filters, ...payload },
  });
}

async function evaluate(
  structureId: string,
  days = { periodStart: '2026-03-01', periodEnd: '2026-03-31' },
): Promise<Loose> {
  return started.service.store.transaction({ graphId: book.graph }, (tx) =>
    started.use.rollforwards.evaluate(tx, { structureId, ...days }),
  );
}

describe('roll-forwards', () => {
  it('attributes the posted change of a balance by flow tags, and the rest to the default tag (reporting B-36, B-37)', async () => {
    const made = await create({ default_change_tag_qname: 'coa:6200' });
    expect(made.status).toBe(200);
    expect(made.body.result.artifact.mechanics).toMatchObject({
      kind: 'rollforward',
      bs_source_element_id: book.id('1510'),
      default_change_tag_element_id: book.id('6200'),
      validation_mode: 'residual_as_default',
    });
    const result = await evaluate(made.body.result.id);
    expect(result).toMatchObject({ delta: 430_000n, matched: 520_000n, residual: -90_000n, diagnostic: null });
    expect(result.facts).toEqual([
      { elementId: book.id('6700'), qname: 'coa:6700', amount: 500_000n },
      { elementId: book.id('6800'), qname: 'coa:6800', amount: 20_000n },
      { elementId: book.id('6200'), qname: 'coa:6200', amount: -90_000n },
    ]);
  });

  it('checks flow_element_id first, then the key of the filter, and accepts elements by qname (reporting B-36)', async () => {
    const predicates = [{ values: ['coa:6700'] }, { values: ['sold'], field: 'flow' }];
    const made = await create({
      attribution_filters: predicates.map((predicate) => ({ target_qname: 'coa:6700', predicate })),
    });
    const shown = made.body.result.artifact.mechanics.attribution_filters;
    expect(shown.map(({ predicate }: Loose) => [predicate.field, predicate.values])).toEqual([
      ['transaction_description_code', ['coa:6700']],
      ['flow', ['sold']],
    ]);
    const lines = [
      tagged('1510', 1_000, 0, { flow_element_id: book.id('6700'), flow: 'sold' }),
      tagged('1510', 200, 0, { transaction_description_code: 'coa:6700' }),
      tagged('1510', 30, 0, { flow: 'sold', transaction_description_code: 'else' }),
      tagged('1510', 4, 0, { flow_element_id: 'tag_other', transaction_description_code: 'coa:6700', flow: 'sold' }),
    ];
    const answer = await posted([...lines, tagged('1000', 0, 1_234, undefined)], '2026-04-01');
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    const result = await evaluate(made.body.result.id, { periodStart: '2026-04-01', periodEnd: '2026-04-30' });
    expect(result.facts.slice(0, 2).map(({ amount }: Loose) => amount)).toEqual([1_200n, 30n]);
    expect(result.delta - result.matched).toBe(result.residual);
  });

  it('assigns each line to the first matching filter, so that no line counts twice (reporting B-36)', async () => {
    const made = await create({
      attribution_filters: [
        { target_qname: 'coa:6800', predicate: { values: ['leased', 'bought'] } },
        { target_qname: 'coa:6700', predicate: { values: ['bought', 'built'] } },
        { target_qname: 'coa:6200', predicate: { values: ['bought'] } },
      ],
    });
    const lines = [
      tagged('1510', 1_000, 0, { transaction_description_code: 'bought' }),
      tagged('1510', 200, 0, { transaction_description_code: 'built' }),
    ];
    const answer = await posted([...lines, tagged('1000', 0, 1_200, undefined)], '2026-05-04');
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    const result = await evaluate(made.body.result.id, { periodStart: '2026-05-01', periodEnd: '2026-05-31' });
    expect(result).toMatchObject({ delta: 1_200n, matched: 1_200n, residual: 0n });
    expect(result.facts.map(({ qname, amount }: Loose) => [qname, amount])).toEqual([
      ['coa:6800', 1_000n],
      ['coa:6700', 200n],
    ]);
  });

  it('attributes the rest to a separate concept without a default tag, or only reports it (reporting B-37)', async () => {
    const { result } = (await create({})).body;
    expect((await evaluate(result.id)).facts.at(-1)).toEqual({
      elementId: null,
      qname: 'coa:1510#residual',
      amount: -90_000n,
    });
    const payload = { structure_id: result.id, validation_mode: 'warn_only', name: 'Renamed' };
    const changed = await book.operation('update-information-block', { block_type: 'rollforward', payload });
    expect(changed.body.result).toMatchObject({
      name: 'Renamed',
      artifact: { mechanics: { validation_mode: 'warn_only' } },
    });
    const warned = await evaluate(result.id);
    expect(warned.facts).toHaveLength(2);
    expect(warned.diagnostic).toContain('the residual is -90000');
  });

  it('shows no flows of a roll-forward after all of them were removed (reporting B-35)', async () => {
    const { result } = (await create({})).body;
    const arcs = async (): Promise<number> =>
      (await book.query(`{ informationBlock(id: "${result.id}") { connections { associationType } } }`))
        .informationBlock.connections.length;
    expect(await arcs()).toBeGreaterThan(0);
    const payload = { structure_id: result.id, attribution_filters: [] };
    const changed = await book.operation('update-information-block', { block_type: 'rollforward', payload });
    expect(changed.status).toBe(200);
    expect(await arcs()).toBe(0);
  });

  it('rejects a residual with its numbers in a strict roll-forward (reporting B-37)', async () => {
    const { result } = (await create({ validation_mode: 'strict' })).body;
    const error = await evaluate(result.id).catch((thrown: unknown) => thrown);
    if (!isServiceError(error)) throw new Error('A strict roll-forward must not leave a residual.');
    expect([error.kind, error.message]).toEqual(['invalid_input', expect.stringContaining('the residual is -90000')]);
  });

  it('includes in the roll-forward of a reporting concept all accounts that are mapped to it (reporting B-38)', async () => {
    const concept = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';
    const { result } = (await create({ bs_source_qname: concept, attribution_filters: [] })).body;
    expect(await evaluate(result.id)).toMatchObject({ delta: -430_000n, residual: -430_000n });
  });

  it('rejects unknown names, flows as source and filters without values, and creates nothing (reporting B-35)', async () => {
    const list = '{ informationBlocks(blockType: "rollforward", limit: 200) { id } }';
    const before = await book.query(list);
    const noValues = [{ target_qname: 'coa:6700', predicate: { values: [] } }];
    const cases: readonly (readonly [object, string])[] = [
      [{ bs_source_qname: 'coa:none' }, "bs_source_qname: no element 'coa:none'"],
      [{ bs_source_qname: 'coa:6700' }, 'is not a balance'],
      [{ default_change_tag_qname: 'coa:none' }, "default_change_tag_qname: no element 'coa:none'"],
      [{ attribution_filters: [{ ...filters[0], target_qname: 'coa:none' }] }, "no element 'coa:none'"],
      [{ attribution_filters: noValues }, 'values are required'],
    ];
    for (const [payload, words] of cases)
      expect(refusal(await create(payload))).toEqual([422, expect.stringContaining(words)]);
    expect(await book.query(list)).toEqual(before);
  });

  it('accepts changes of the chart despite a roll-forward, even one stored there by an earlier release (reporting B-35, taxonomy T-31)', async () => {
    const { result } = (await create({})).body;
    expect(result.taxonomy_name).toBe('Roll-forwards');
    const { taxonomies } = await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }');
    const taxonomyId = taxonomies.taxonomies[0].id;
    const rename = (name: string): Promise<Loose> =>
      book.operation('update-taxonomy-block', {
        taxonomy_id: taxonomyId,
        elements_to_update: [{ qname: 'coa:6200', name }],
      });
    expect((await rename('Rent and services')).status).toBe(200);
    const moved = sql`UPDATE taxonomy_structure SET taxonomy_id = ${taxonomyId} WHERE id = ${result.id}`;
    await started.service.store.transaction({ graphId: book.graph }, (tx) => tx.query(moved));
    expect((await rename('Rent')).status).toBe(200);
    const arcs = `{ informationBlock(id: "${result.id}") { connections { id } } }`;
    const before = await book.query(arcs);
    const removal = { taxonomy_id: taxonomyId, structures_to_remove: [result.id] };
    const removed = await book.operation('update-taxonomy-block', removal);
    expect(refusal(removed)).toEqual([422, expect.stringContaining('delete-information-block')]);
    expect(await book.query(arcs)).toEqual(before);
    const gone = { block_type: 'rollforward', payload: { structure_id: result.id } };
    expect((await book.operation('delete-information-block', gone)).status).toBe(200);
  });

  it('deletes a roll-forward without changing the ledger (reporting B-39)', async () => {
    const { result } = (await create({})).body;
    const before = await book.query('{ trialBalance { rows { accountCode netBalance } } }');
    const payload = { structure_id: result.id };
    const gone = await book.operation('delete-information-block', { block_type: 'rollforward', payload });
    expect(gone.status).toBe(200);
    expect(await book.query('{ trialBalance { rows { accountCode netBalance } } }')).toEqual(before);
    const error = await evaluate(result.id).catch((thrown: unknown) => thrown);
    expect(isServiceError(error) && error.kind).toBe('not_found');
  });
});

describe('sums beyond what JSON carries exactly', () => {
  it('rejects sums beyond what JSON carries in reads and in strict roll-forwards, and never rounds them (ledger L-2, reporting B-37)', async () => {
    const large = await openScheduleBooks(started.user, 'services', { earliest_data_period: '2026-03' });
    const most = Number.MAX_SAFE_INTEGER;
    const legs = [
      ['1510', 100, 0],
      ['1000', 0, 100],
    ] as const;
    expect((await large.operation('create-event-block', draft(large, '2026-03-15', legs))).status).toBe(200);
    // The API accepts no such amounts; they stand for the sum of many entries.
    await started.service.store.transaction({ graphId: large.graph }, (tx) =>
      tx.query(sql`
        INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
        SELECT graph_id, id, n.line_order, 'li_' || n.line_order, CASE WHEN n.debit > 0 THEN ${large.id('1510')} ELSE ${large.id('1000')} END,
          posting_date, currency, false, n.debit, n.credit
        FROM ledger_entry, (VALUES (7, ${most}::bigint, 0::bigint), (8, 0, ${most}::bigint), (9, ${most}, 0), (10, 0, ${most})) AS n (line_order, debit, credit)`),
    );
    const drafts = large.query('{ periodDrafts(period: "2026-03") { totalDebit } }');
    await expect(drafts).rejects.toThrow('The total of the drafts is above 9007199254740991 minor units');
    expect((await large.operation('close-period', { period: '2026-03' })).status).toBe(200);
    const payload = { name: 'Equipment', bs_source_qname: 'coa:1510', validation_mode: 'strict' };
    const made = await large.operation('create-information-block', { block_type: 'rollforward', payload });
    const request = { structureId: made.body.result.id, periodStart: '2026-03-01', periodEnd: '2026-03-31' };
    const evaluated = started.service.store.transaction({ graphId: large.graph }, (tx) =>
      started.use.rollforwards.evaluate(tx, request),
    );
    await expect(evaluated).rejects.toThrow('The change of the balance is above 9007199254740991 minor units');
  });
});
