import { contribute, definePlugin, sql } from '@pacioli/core';
import { afterAll, beforeAll } from 'vitest';
import { accountingConnections, type Delivery, eventSources, reconciliation } from '../src/index.ts';
import type { Loose } from './books.ts';
import { delivery } from './delivery.ts';
import { type Example, openExample } from './example.ts';

/**
 * Worked example C: books that follow a provider, with derived entries, late changes and corrections (ledger 13.3). A
 * test plugin stands in for the provider's connection and for the shop's feed.
 */
export let book: Example;
let lastSync = '2026-05-02T08:00:00Z';

const accounts = [
  ['35', 'Checking', 'asset'],
  ['84', 'Accounts Receivable', 'asset'],
  ['36', 'Processor Clearing', 'asset'],
  ['70', 'Computers', 'asset'],
  ['79', 'Services Income', 'revenue'],
  ['61', 'Office Supplies', 'expense'],
  ['62', 'Processing Fees', 'expense'],
] as const;

const provider = definePlugin({
  name: 'provider',
  title: 'A provider of books and a shop',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  contributions: [
    contribute(eventSources, 'provider', {
      create: () => ({
        live: async () => [
          { source: 'quickbooks', connectionId: 'conn_q' },
          { source: 'shopfeed', connectionId: 'conn_s' },
        ],
      }),
    }),
    contribute(accountingConnections, 'provider', {
      create: () => ({
        live: async () => [
          {
            connectionId: 'conn_q',
            writePolicy: 'qb_authoritative' as const,
            lastSyncAt: new Date(lastSync),
            createdAt: new Date('2026-01-01T00:00:00Z'),
          },
        ],
      }),
    }),
  ],
});

/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useProviderBooks(): void {
  beforeAll(async () => {
    book = await openExample(
      '2026-05-02T08:00:00Z',
      {
        name: 'Synced',
        elements: accounts.map(([code, name, trait]) => ({ code, name, trait, qname: `coa:${code}` })),
      },
      { closed_through: '2026-03', earliest_data_period: '2026-01' },
      provider,
    );
    await inBooks((tx) =>
      tx.query(sql`
        UPDATE taxonomy_element SET external_id = code, external_source = 'quickbooks', connection_id = 'conn_q'
        WHERE source = 'native'`),
    );
  }, 120_000);
  afterAll(() => book.service.close());
}

type Work<T> = Parameters<typeof book.service.store.transaction<T>>[1];
function inBooks<T>(work: Work<T>): Promise<T> {
  return book.service.store.transaction({ graphId: book.graph }, work);
}

export const invoice = (version: number, cents: number): Delivery =>
  delivery(
    'Invoice_145',
    version,
    '2026-04-10',
    [
      ['84', cents, 0],
      ['79', 0, cents],
    ],
    {},
  );

export function payment(): Delivery {
  const paid = delivery(
    'Payment_151',
    0,
    '2026-04-22',
    [
      ['35', 320_000, 0],
      ['84', 0, 320_000],
    ],
    { eventType: 'payment_received' },
  );
  return { ...paid, metadata: { ...paid.metadata, qb_linked_txns: ['Invoice_145'] } };
}

export const purchase = (version: number, account: string): Delivery =>
  delivery(
    'Purchase_160',
    version,
    '2026-05-05',
    [
      [account, 48_000, 0],
      ['35', 0, 48_000],
    ],
    { eventType: 'cash_expense_recorded', eventCategory: 'purchase' },
  );

/** Delivers each record and books the new ones, as a sync does. */
export async function sync(
  ...records: readonly Delivery[]
): Promise<readonly { kind: string; eventId: string; error?: string }[]> {
  lastSync = book.clock.now().toISOString();
  const books = book.service.service.services.resolve(reconciliation);
  const by = { userId: 'usr_sync', now: book.clock.now() };
  const outcomes = [];
  for (const each of records) {
    const { kind, eventId } = await inBooks((tx) => books.deliver(tx, each, by));
    const booking = kind === 'captured' ? await inBooks((tx) => books.book(tx, eventId, book.clock.now())) : undefined;
    outcomes.push({ kind, eventId, ...(booking?.isBooked === false ? { error: booking.error } : {}) });
  }
  return outcomes;
}

export const event = async (externalId: string): Promise<Loose> =>
  (
    await book.query(
      '{ eventBlocks(limit: 100) { id externalId status dischargesEventId isReconcilingItem metadata } }',
    )
  ).eventBlocks.find((each: Loose) => each.externalId === externalId);
