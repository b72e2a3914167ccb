/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookVerifier } from '../src/index.ts';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, entry, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const everything = `{ eventBlocks(limit: 1000) { id status metadata } journalEntries(limit: 1000) { entries { id status } }
  transactions(limit: 1000) { transactions { id status } } }`;
const verify = () =>
  service.store.transaction(
    { graphId: book.graph },
    (tx) => service.service.services.resolve(bookVerifier).verify(tx),
    {
      readOnly: true,
    },
  );

/** A generator with the same sequence in every run. */
function drawing(seed: number): <T>(values: readonly T[]) => T {
  let state = seed;
  return (values) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const value = values[Math.floor(state / 65_536) % values.length];
    if (value === undefined) throw new Error('There is nothing to draw from.');
    return value;
  };
}

const amounts = [
  '{{ event.amount }}',
  '{{ event.amount_abs }} / 3',
  'max({{ event.metadata.fee | default 0 }}, 10)',
  'split({{ event.amount }}, 3, 2)',
  '{{ event.amount }} - {{ event.metadata.fee }}',
  '{{ event.metadata.gone }}',
  '0',
];
const accounts = [
  'code:1000',
  'role:ar',
  '{{ event.metadata.account }}',
  '{{ event.resource_element_id }}',
  'code:{{ event.metadata.code }}',
];
const categories = ['sales', 'purchase', 'treasury'];

describe('preview-event-block', () => {
  it('returns the same outcome as recording, for all kinds of handlers and events (ledger L-97, L-202)', {
    timeout: 240_000,
  }, async () => {
    const draw = drawing(20_260_401);
    const types = Array.from({ length: 6 }, (_, index) => `drawn_${index}`);
    for (let index = 0; index < 14; index += 1) {
      const amount = draw(amounts);
      const rule = {
        name: `Drawn ${index}`,
        event_type: draw(types),
        priority: draw([0, 0, 1]),
        event_category: draw([null, 'sales']),
        transaction_template: {
          transactions: Array.from({ length: draw([1, 1, 2]) }, () => ({
            entry_template: {
              debit: { element_id: draw(accounts), amount },
              credit: { element_id: 'code:4000', amount: draw([amount, amount, amount, draw(amounts)]) },
            },
          })),
        },
      };
      expect((await book.operation('create-event-handler', rule)).status).toBe(200);
    }
    const outcomes = new Set<number>();
    for (let index = 0; index < 60; index += 1) {
      const type = draw([...types, ...types, 'bank_transaction', 'unknown']);
      const body = {
        event_type: type,
        event_category: draw(categories),
        occurred_at: `2026-03-${draw(['01', '15', '31'])}T10:00:00Z`,
        source: draw(['manual', 'manual', 'manual', 'elsewhere']),
        external_id: draw([null, `x${draw([1, 2, 3])}`]),
        amount: draw([null, 0, 1, 100, 99_999, -500]),
        resource_element_id: draw([null, book.id('1000'), book.id('1010')]),
        metadata: {
          fee: draw([0, 7, '30', 'x']),
          account: draw([book.id('6000'), 'elem_none']),
          code: draw(['6100', '99']),
          classified_element_id: draw([null, book.id('6800')]),
        },
        apply_handlers: true,
      };
      const before = await book.query(everything);
      const { result } = (await book.operation('preview-event-block', body)).body;
      expect(await book.query(everything)).toEqual(before);
      const made = await book.operation('create-event-block', body);
      outcomes.add(made.status);
      expect([made.status === 200, made.body.detail ?? null]).toEqual([
        result.would_succeed,
        result.validation_errors[0] ?? null,
      ]);
      if (made.status !== 200) expect(await book.query(everything)).toEqual(before);
    }
    expect([...outcomes].sort()).toEqual([200, 404, 409, 422]);
    expect(await verify()).toEqual([]);
  });
});

describe('book verifier', () => {
  const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
    service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
  const posted = async (more: object = {}): Promise<Loose> => {
    const body = entry(
      book,
      '2026-03-20',
      [
        ['1000', 500, 0],
        ['4000', 0, 500],
      ],
      more,
    );
    return (await book.operation('create-event-block', body)).body.result;
  };

  it('finds nothing in books that were written only through operations (ledger 10)', async () => {
    const { id } = await posted();
    const [made] = await inStore(sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${id}`);
    await posted({
      event_type: 'journal_entry_reversed',
      metadata: { entry_id: made?.id, posting_date: '2026-03-21' },
    });
    const voided = (await book.operation('create-event-block', { ...(await draftBody()), external_id: 'v' })).body
      .result;
    await book.operation('update-event-block', { event_id: voided.id, transition_to: 'voided' });
    expect(await verify()).toEqual([]);
  });

  const draftBody = async (): Promise<object> => ({
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: '2026-03-20T10:00:00Z',
    source: 'manual',
    apply_handlers: true,
    metadata: {
      posting_date: '2026-03-20',
      memo: 'draft',
      line_items: [
        { element_id: book.id('1000'), debit_amount: 5 },
        { element_id: book.id('4000'), credit_amount: 5 },
      ],
    },
  });

  it.each([
    ['L-205', () => sql`UPDATE ledger_event SET status = 'voided' WHERE id = (SELECT max(event_id) FROM ledger_entry)`],
    ['L-209', () => sql`UPDATE ledger_fiscal_calendar SET closed_through = '2026-12'`],
    [
      'L-204',
      () =>
        sql`UPDATE ledger_entry SET status = 'reversed' WHERE id = (SELECT max(id) FROM ledger_entry WHERE status = 'posted' AND reversal_of IS NULL)`,
    ],
    [
      'L-136',
      () => sql`UPDATE ledger_event SET is_reconciling_item = true WHERE id = (SELECT max(id) FROM ledger_event)`,
    ],
    [
      'L-112',
      () =>
        sql`UPDATE ledger_transaction SET metadata = '{"handler_id": "hdl_gone", "handler_version": 1}' WHERE id = (SELECT max(id) FROM ledger_transaction)`,
    ],
    [
      'L-40',
      () =>
        sql`UPDATE ledger_line_item SET is_landed = true WHERE entry_id = (SELECT max(id) FROM ledger_entry WHERE status = 'draft')`,
    ],
  ])('reports the rule %s that a change in SQL breaks (ledger 10)', async (rule, breaking) => {
    await posted();
    await book.operation('create-event-block', await draftBody());
    // The change is rolled back after the verification.
    const broken = await service.store
      .transaction({ graphId: book.graph }, async (tx) => {
        await tx.query(breaking());
        throw new Found(await service.service.services.resolve(bookVerifier).verify(tx));
      })
      .catch((error: unknown) => {
        if (error instanceof Found) return error.rules;
        throw error;
      });
    expect(broken).toContain(rule);
    expect(await verify()).toEqual([]);
  });
});

class Found extends Error {
  readonly rules: readonly string[];

  constructor(broken: readonly { readonly rule: string }[]) {
    super('found');
    this.rules = broken.map(({ rule }) => rule);
  }
}
