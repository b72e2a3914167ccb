/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { draft, recorded, sale } from './close-books.ts';
import { clock, otherPlugins, service, useCloseBooks, user } from './close-fixture.ts';

useCloseBooks();

/** Marks the draft of an event as written by a schedule. */
async function ofSchedule(book: Books, eventId: string, structureId: string): Promise<string> {
  const [row] = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Pick<LedgerEntry, 'id'>>`
      UPDATE ledger_entry SET source_structure_id = ${structureId} WHERE event_id = ${eventId} RETURNING id`),
  );
  return row?.id ?? '';
}

describe('periodDrafts', () => {
  it('lists drafts by date, then schedule, with totals in minor units beyond 32 bits (ledger L-173, L-4, L-4a)', async () => {
    const book = await openBooks(user);
    otherPlugins.schedules = [
      { structureId: 'struct_b', name: 'Beta', amount: '0' },
      { structureId: 'struct_a', name: 'Alpha', amount: '0' },
    ];
    const beta = await sale(book, '2026-03-31', 300);
    clock.advance(1_000);
    const alpha = await sale(book, '2026-03-31', 200);
    clock.advance(1_000);
    await sale(book, '2026-03-05', 3_000_000_000);
    await sale(book, '2026-04-05', 9);
    const ids = [await ofSchedule(book, alpha.id, 'struct_a'), await ofSchedule(book, beta.id, 'struct_b')];
    const { periodDrafts } = await book.query(`{ periodDrafts(period: "2026-03") {
      period periodStart periodEnd draftCount totalDebit totalCredit allBalanced qbPublishCount localOnlyCount
      qbWritebackConnectionId qbWritePolicy
      drafts { entryId postingDate type memo provenance sourceStructureName totalDebit totalCredit balanced willPublishToQb
        lineItems { elementCode elementName debitAmount creditAmount } } } }`);
    expect(periodDrafts).toMatchObject({
      period: '2026-03',
      periodStart: '2026-03-01',
      periodEnd: '2026-03-31',
      draftCount: 3,
      totalDebit: 3_000_000_500,
      totalCredit: 3_000_000_500,
      allBalanced: true,
      qbPublishCount: 0,
      localOnlyCount: 3,
      qbWritebackConnectionId: null,
      qbWritePolicy: null,
    });
    const [large, ...scheduled] = periodDrafts.drafts;
    expect(scheduled.map((row: Loose) => [row.entryId, row.sourceStructureName])).toEqual([
      [ids[0], 'Alpha'],
      [ids[1], 'Beta'],
    ]);
    expect(large).toMatchObject({
      postingDate: '2026-03-05',
      totalDebit: 3_000_000_000,
      balanced: true,
      willPublishToQb: false,
      lineItems: [
        { elementCode: '1000', elementName: 'Operating cash', debitAmount: 3_000_000_000, creditAmount: 0 },
        { elementCode: '4000', debitAmount: 0, creditAmount: 3_000_000_000 },
      ],
    });
  });

  it('reports an empty month as balanced, and rejects a malformed month (ledger L-173)', async () => {
    const book = await openBooks(user);
    const { periodDrafts } = await book.query(
      '{ periodDrafts(period: "2026-03") { draftCount allBalanced drafts { entryId } } }',
    );
    expect(periodDrafts).toEqual({ draftCount: 0, allBalanced: true, drafts: [] });
    const answer = await user.graphql(book.graph, '{ periodDrafts(period: "2026-3") { draftCount } }');
    expect(answer.body.errors[0].message).toBe("period: '2026-3' is not a month; write it as YYYY-MM.");
  });

  it('tells for each draft whether a close publishes it, by the same rule as the close (ledger L-99, L-172)', async () => {
    const book = await openBooks(user);
    const legs = [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ] as const;
    const publishes = { manual: { source: 'manual' }, system: { source: 'system' } };
    const withMetadata = (given: object, flag: boolean) => {
      const body = draft(book, '2026-03-10', legs, given) as { metadata: object };
      return { ...body, metadata: { ...body.metadata, publish_to_source: flag } };
    };
    const wanted: [Loose, boolean][] = [
      [await recorded(book, draft(book, '2026-03-10', legs, publishes.manual)), true],
      [await recorded(book, draft(book, '2026-03-11', legs, publishes.system)), false],
      [await recorded(book, withMetadata(publishes.manual, false)), false],
      [await recorded(book, withMetadata(publishes.system, true)), true],
    ];
    const policies = [
      ['conn_old', 'hybrid', '2026-01-01T00:00:00Z'],
      ['conn_new', 'qb_authoritative', '2026-02-01T00:00:00Z'],
      ['conn_newest', 'native', '2026-03-01T00:00:00Z'],
    ] as const;
    otherPlugins.connections = policies.map(([connectionId, writePolicy, at]) => ({
      connectionId,
      writePolicy,
      lastSyncAt: new Date('2026-04-01T00:00:00Z'),
      createdAt: new Date(at),
    }));
    const { periodDrafts, journalEntries } = await book.query(`{
      periodDrafts(period: "2026-03") { qbWritebackConnectionId qbWritePolicy qbPublishCount localOnlyCount drafts { entryId willPublishToQb } }
      journalEntries { entries { id triggeredByEventId } } }`);
    expect(periodDrafts).toMatchObject({
      qbWritebackConnectionId: 'conn_new',
      qbWritePolicy: 'qb_authoritative',
      qbPublishCount: 2,
      localOnlyCount: 2,
    });
    const eventOf = new Map(journalEntries.entries.map((row: Loose) => [row.id, row.triggeredByEventId]));
    const said = periodDrafts.drafts.map((row: Loose): [string, boolean] => [
      String(eventOf.get(row.entryId)),
      row.willPublishToQb,
    ]);
    expect(new Map(said)).toEqual(new Map(wanted.map(([event, flag]) => [event.id, flag])));
    // The close must require exactly the same events.
    const blocked = await book.operation('close-period', { period: '2026-03' });
    expect(new Set(blocked.body.details.failed_events.map((row: Loose) => row.event_id))).toEqual(
      new Set(wanted.filter(([, flag]) => flag).map(([event]) => event.id)),
    );
  });
});

describe('periodCloseStatus and closingBookStructures', () => {
  const status = `{ periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") {
    fiscalPeriodStart fiscalPeriodEnd periodStatus totalDraft totalPosted closeReceipt { version }
    schedules { structureId structureName amount status entryId reversalEntryId reversalStatus } } }`;

  it('lists one item per schedule, by name, with its entry of the month and the reversal of that entry (ledger L-174)', async () => {
    const book = await openBooks(user);
    otherPlugins.schedules = [
      { structureId: 'struct_c', name: 'Van', amount: '700.10' },
      { structureId: 'struct_a', name: 'Accrual', amount: '0' },
      { structureId: 'struct_b', name: 'Insurance', amount: '300' },
    ];
    const posted = await sale(book, '2026-03-31', 100);
    const drafted = await sale(book, '2026-03-31', 200);
    const van = await ofSchedule(book, posted.id, 'struct_c');
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE ledger_entry SET status = 'posted', posted_at = now() WHERE id = ${van}`),
    );
    const insurance = await ofSchedule(book, drafted.id, 'struct_b');
    const { periodCloseStatus } = await book.query(status);
    expect(periodCloseStatus).toMatchObject({
      fiscalPeriodStart: '2026-03-01',
      fiscalPeriodEnd: '2026-03-31',
      periodStatus: 'open',
      totalDraft: 1,
      totalPosted: 1,
      closeReceipt: null,
    });
    const nothing = { reversalEntryId: null, reversalStatus: null };
    expect(periodCloseStatus.schedules).toEqual([
      { structureId: 'struct_a', structureName: 'Accrual', amount: 0, status: 'pending', entryId: null, ...nothing },
      {
        structureId: 'struct_b',
        structureName: 'Insurance',
        amount: 300,
        status: 'drafted',
        entryId: insurance,
        ...nothing,
      },
      { structureId: 'struct_c', structureName: 'Van', amount: 700.1, status: 'posted', entryId: van, ...nothing },
    ]);
    await recorded(book, {
      event_type: 'journal_entry_reversed',
      event_category: 'adjustment',
      occurred_at: '2026-04-01T10:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: { entry_id: van, posting_date: '2026-04-01' },
    });
    const after = (await book.query(status)).periodCloseStatus;
    expect(after.schedules[2]).toMatchObject({ status: 'posted', entryId: van, reversalStatus: 'posted' });
  });

  it('rejects periodCloseStatus for a range of more than one month', async () => {
    const book = await openBooks(user);
    for (const [start, end] of [
      ['2026-03-01', '2026-04-30'],
      ['2026-03-31', '2026-03-01'],
    ]) {
      const answer = await user.graphql(
        book.graph,
        `{ periodCloseStatus(periodStart: "${start}", periodEnd: "${end}") { periodStatus } }`,
      );
      expect(answer.body.errors[0].message).toContain('periodEnd');
    }
  });

  it('lists the close, rollups and schedules, and a trial balance once an entry has posted (ledger L-175)', async () => {
    const book = await openBooks(user);
    const query =
      '{ closingBookStructures { hasData categories { label items { id name itemType blockType reportId status } } } }';
    const empty = (await book.query(query)).closingBookStructures;
    expect(empty.hasData).toBe(false);
    expect(empty.categories.map((category: Loose) => category.label)).toEqual(['Period Close', 'Account Rollups']);
    expect(empty.categories[0].items).toEqual([
      {
        id: 'period_close',
        name: 'Period Close',
        itemType: 'period_close',
        blockType: null,
        reportId: null,
        status: null,
      },
    ]);
    otherPlugins.schedules = [{ structureId: 'struct_b', name: 'Insurance', amount: '300' }];
    const made = await sale(book, '2026-03-31', 200);
    await ofSchedule(book, made.id, 'struct_b');
    await recorded(
      book,
      entry(book, '2026-03-31', [
        ['1000', 100, 0],
        ['4000', 0, 100],
      ]),
    );
    const full = (await book.query(query)).closingBookStructures;
    expect(full.hasData).toBe(true);
    expect(full.categories.map((category: Loose) => category.label)).toEqual([
      'Period Close',
      'Account Rollups',
      'Schedules',
      'Trial Balance',
    ]);
    expect(full.categories[1].items.length).toBe(
      (await book.query('{ mappings { structures { id } } }')).mappings.structures.length,
    );
    expect(full.categories[2].items).toMatchObject([
      { id: 'struct_b', itemType: 'schedule', blockType: 'schedule', status: 'draft' },
    ]);
  });
});
