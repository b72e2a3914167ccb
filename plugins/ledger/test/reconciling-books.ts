import blocks from '@pacioli/blocks';
import { contribute, definePlugin, sql } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
} from '@pacioli/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import ledger, {
  type Delivery,
  eventHandlers,
  eventSources,
  type Reconciliation,
  reconciliation,
} from '../src/index.ts';
import { type Books, type Loose, openBooks } from './books.ts';
import { patientStore } from './capacity-lock.ts';
import { delivery } from './delivery.ts';
import { expectRefused } from './expect-refused.ts';
import { graphDigest } from './graph-digest.ts';

export let service: TestService;
export let clock: FixedClock;
export let user: TestClient;
export let book: Books;
/** Changes that a test injects while a booking is planned. */
export const race: { delivery?: Delivery | undefined; change?: ReturnType<typeof sql> | undefined } = {};

/** The provider's account numbers by account code. */
const providerIds = { '1000': '35', '1100': '84', '4000': '79', '6700': '61', '1510': '70' };

/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useReconcilingBooks(): void {
  beforeAll(async () => {
    clock = fixedClock('2026-04-01T12:00:00Z');
    const companion = definePlugin({
      name: 'companion',
      title: 'A provider of books',
      version: '0.1.0',
      kernel: '^0.1.0',
      dependsOn: ['ledger'],
      contributions: [
        contribute(eventSources, 'test', {
          create: () => ({
            live: async () => [
              { source: 'quickbooks', connectionId: 'conn_q' },
              { source: 'shopfeed', connectionId: 'conn_s' },
            ],
          }),
        }),
        contribute(eventHandlers, 'raced', {
          create: () => ({
            displayName: 'Raced',
            plan: async ({ tx, event }) => {
              // Another delivery arrives while the difference is computed.
              if (race.delivery !== undefined)
                await service.service.services.resolve(reconciliation).deliver(tx, race.delivery, by());
              // Another caller changes the books once at the same time.
              const change = race.change;
              race.change = undefined;
              if (change !== undefined) await tx.query(change);
              return {
                eventStatus: 'classified',
                transactionId: null,
                entries: racingEntries(event.metadata['cents']),
              };
            },
          }),
        }),
      ],
    });
    service = await startTestService({
      plugins: [taxonomy, blocks, ledger, companion],
      aliases: { ledger: ['roboledger'] },
      clock,
      settings: { orgs: { maxGraphs: -1 } },
      storeOptions: patientStore,
    });
    user = await service.newUser('Ann');
    book = await openBooks(user);
    const pairs = Object.entries(providerIds);
    await inStore(sql`
      UPDATE taxonomy_element AS e SET external_id = p.id, external_source = 'quickbooks', connection_id = 'conn_q'
      FROM unnest(${pairs.map(([code]) => book.id(code))}::text[], ${pairs.map(([, id]) => id)}::text[]) AS p (element, id) WHERE e.id = p.element`);
  });
  afterAll(async () => {
    await service.close();
  });
}

export const by = () => ({ userId: 'usr_sync', now: clock.now() });
export const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
const racingEntries = (cents: unknown) => [
  {
    postingDate: '2026-03-10',
    memo: null,
    type: 'standard' as const,
    status: 'draft' as const,
    reversalOf: null,
    lines: ['1000', '4000'].map((code, side) => ({
      elementId: book.id(code),
      debit: side === 0 ? BigInt(Number(cents)) : 0n,
      credit: side === 1 ? BigInt(Number(cents)) : 0n,
      description: null,
      metadata: null,
    })),
  },
];

let number = 100;
export const nextId = () => {
  number += 1;
  return `Invoice_${number}`;
};

export const invoice = (id: string, version: number, cents: number, date = '2026-03-10') =>
  delivery(id, version, date, [
    ['84', cents, 0],
    ['79', 0, cents],
  ]);

export const withBooks = <T>(
  work: (tx: Parameters<Reconciliation['book']>[0], it: Reconciliation) => Promise<T>,
): Promise<T> =>
  service.store.transaction({ graphId: book.graph }, (tx) =>
    work(tx, service.service.services.resolve(reconciliation)),
  );
export const deliver = (record: Delivery) => withBooks((tx, books) => books.deliver(tx, record, by()));

/** Delivers a record and books it. */
export async function booked(record: Delivery): Promise<string> {
  const { eventId, kind } = await deliver(record);
  const booking = await withBooks((tx, books) => books.book(tx, eventId, clock.now()));
  expect([kind, booking]).toEqual(['captured', { isBooked: true, status: 'fulfilled' }]);
  return eventId;
}
export const preview = (eventId: string) => book.operation('preview-reconciling-item', { event_id: eventId });
export const resolve = (eventId: string, more: object = {}) =>
  book.operation('resolve-reconciling-item', { event_id: eventId, ...more });

export const everything = () => graphDigest(service.store, book.graph);
export const refused = (work: () => Promise<Answer>, status: number, message: string) =>
  expectRefused(service, book.graph, work, [status, message]);
export const event = async (id: string): Promise<Loose> =>
  (await book.query(`{ eventBlock(id: "${id}") { status amount externalId isReconcilingItem metadata occurredAt } }`))[
    'eventBlock'
  ];
export async function months(status: string, ...names: readonly string[]): Promise<void> {
  await inStore(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = ANY (${[...names]}::text[])`);
}
/** The net balance of an account; debits are positive. */
export async function net(code: string): Promise<number> {
  const [row] = await inStore(sql<{ net: number }>`
    SELECT coalesce(sum(debit_amount - credit_amount), 0)::bigint AS net FROM ledger_line_item WHERE is_landed AND element_id = ${book.id(code)}`);
  return row?.net ?? 0;
}
