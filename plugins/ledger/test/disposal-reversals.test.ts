/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { LedgerSchedule } from '../src/rows.gen.ts';
import { type Books, done, entry, type Loose } from './books.ts';
import {
  closeMonths,
  disposal,
  entryNamed,
  openWithVan,
  reversalOf,
  trialBalance,
  type VanBooks,
} from './disposal-books.ts';
import { clock, service, useDisposalBooks, user } from './disposal-fixture.ts';
import { expectLaws } from './laws.ts';
import { signal } from './races.ts';
import { readBooks } from './read-books.ts';
import { everything, legs, obligations, refusal } from './schedule-books.ts';

useDisposalBooks();

const throughJune = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];

/** Opens books with the van bought and sold, closed through June, and returns the entry of the sale. */
async function withSale(date = '2026-06-30'): Promise<VanBooks & { readonly saleId: string }> {
  const { book, id } = await openWithVan(user);
  const bought = entry(book, '2026-01-15', [
    ['1520', 2_700_000, 0],
    ['1000', 0, 2_700_000],
  ]);
  await done(book, 'create-event-block', bought);
  await done(book, 'create-event-block', disposal(book, id, {}, date));
  clock.set('2026-07-02T12:00:00Z');
  await done(book, 'promote-obligations', {});
  await closeMonths(book, ...throughJune);
  return { book, id, saleId: (await entryNamed(book, 'Van sold')).id };
}

const inStore = <T>(book: Books, statement: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));

/** Finds the anchor event of the schedule. */
const anchorOf = async (book: Books): Promise<string> =>
  (await book.query('{ eventBlocks(eventType: "schedule_created") { id } }')).eventBlocks[0].id;

const rulesOf = async (book: Books, id: string): Promise<readonly Loose[]> =>
  (await book.query(`{ informationBlock(id: "${id}") { rules { ruleExpression } } }`)).informationBlock.rules;

describe('journal_entry_reversed of a posted disposal', () => {
  it('restores the asset, its depreciation and its schedule when a disposal is reversed, and the asset can be sold again (ledger L-60, L-188)', async () => {
    const { book, id, saleId } = await withSale();
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 4_200, 7200: 1_300 });
    expect([await obligations(book, id), await rulesOf(book, id)]).toEqual([{ fulfilled: 6, voided: 30 }, []]);
    const sold = await readBooks(service.store, book.graph);
    clock.set('2026-07-10T12:00:00Z');
    const before = await everything(book);
    const preview = await done(book, 'preview-event-block', reversalOf(book, saleId, '2026-07-10'));
    expect([preview.would_succeed, await everything(book)]).toEqual([true, before]);
    const undone = await done(book, 'create-event-block', reversalOf(book, saleId, '2026-07-10'));
    expect(undone).toMatchObject({ status: 'fulfilled' });
    expect(await trialBalance(book)).toEqual({ 1000: -27_000, 1520: 27_000, 1590: -4_200, 6900: 4_200 });
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 30, pending: 30 });
    expect(await rulesOf(book, id)).toEqual([{ ruleExpression: 'sum($amount) = 25200.00' }]);
    await expectLaws(service, book, sold);

    clock.set('2026-08-01T12:00:00Z');
    await done(book, 'promote-obligations', {});
    const again = disposal(book, id, { memo: 'Van sold again' }, '2026-07-31');
    expect((await done(book, 'preview-event-block', again)).handler_metadata).toMatchObject({
      accumulated_depreciation_cents: 490_000,
      nbv_cents: 2_210_000,
      gain_loss_cents: -60_000,
    });
    await done(book, 'create-event-block', again);
    await closeMonths(book, '2026-07');
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 4_900, 7200: 600 });
    await expectLaws(service, book);
  });

  it('leaves months void that were closed after the sale, and counts them in no later disposal or rebuild (ledger L-151, L-187)', async () => {
    const { book, id, saleId } = await withSale();
    clock.set('2026-08-10T12:00:00Z');
    await closeMonths(book, '2026-07');
    await done(book, 'create-event-block', reversalOf(book, saleId, '2026-08-10'));
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 31, pending: 29 });
    await done(book, 'rebuild-schedule', { structure_id: id });
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 60, pending: 29 });
    await expectLaws(service, book);
    clock.set('2026-09-01T12:00:00Z');
    await done(book, 'promote-obligations', {});
    const again = disposal(book, id, { memo: 'Van sold again' }, '2026-08-31');
    expect((await done(book, 'preview-event-block', again)).handler_metadata).toMatchObject({
      accumulated_depreciation_cents: 490_000,
      nbv_cents: 2_210_000,
    });
    await done(book, 'create-event-block', again);
    await closeMonths(book, '2026-08');
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 4_900, 7200: 600 });
    await expectLaws(service, book);
  });

  it('depreciates a reopened month as if the asset had not been sold (ledger L-62, L-188)', async () => {
    const { book, id, saleId } = await withSale('2026-06-15');
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 3_500, 7200: 2_000 });
    await done(book, 'reopen-period', { period: '2026-06', reason: 'The buyer gave the van back' });
    await done(book, 'create-event-block', reversalOf(book, saleId, '2026-06-30'));
    expect(await obligations(book, id)).toEqual({ fulfilled: 5, voided: 31, pending: 31 });
    const early = await book.operation('close-period', { period: '2026-06' });
    expect(early.body.details).toMatchObject({ blockers: ['pending_obligations'], pending_obligation_count: 1 });
    await done(book, 'promote-obligations', {});
    await closeMonths(book, '2026-06');
    expect(await trialBalance(book)).toEqual({ 1000: -27_000, 1520: 27_000, 1590: -4_200, 6900: 4_200 });
    await expectLaws(service, book);
  });

  it('rejects reversing the reversal of a disposal while the schedule continues, and changes nothing (ledger L-63, L-188)', async () => {
    const { book, id, saleId } = await withSale();
    await done(book, 'create-event-block', reversalOf(book, saleId, '2026-07-02'));
    const back = await entryNamed(book, `Reversal of journal entry ${saleId}`);
    const before = await everything(book);
    const refused = await book.operation('create-event-block', reversalOf(book, back.id, '2026-07-02'));
    expect(refusal(refused)).toEqual([422, expect.stringContaining("has restored the asset of schedule 'Van'")]);
    expect(await everything(book)).toEqual(before);
    await done(book, 'delete-information-block', { block_type: 'schedule', payload: { structure_id: id } });
    await done(book, 'create-event-block', reversalOf(book, back.id, '2026-07-02'));
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 4_200, 7200: 1_300 });
    await expectLaws(service, book);
  });

  it('follows the disposal recorded on the schedule, not later changes to the metadata of the event (ledger L-76, L-188)', async () => {
    const { book, saleId } = await withSale();
    await done(book, 'create-event-block', reversalOf(book, saleId, '2026-07-02'));
    const back = await entryNamed(book, `Reversal of journal entry ${saleId}`);
    await inStore(
      book,
      sql`UPDATE ledger_event SET metadata = metadata || '{"schedule_id": null}' WHERE event_type = 'asset_disposed'`,
    );
    const before = await everything(book);
    const refused = await book.operation('create-event-block', reversalOf(book, back.id, '2026-07-02'));
    expect(refusal(refused)).toEqual([422, expect.stringContaining("has restored the asset of schedule 'Van'")]);
    expect(await everything(book)).toEqual(before);
  });

  it('accepts reversing a reversal that did not reopen the schedule; reversing that in turn reopens it (ledger L-63, L-188)', async () => {
    const { book, id, saleId } = await withSale();
    // As in books written before the reversal of a disposal reopened its schedule.
    const [sale] = await inStore(
      book,
      sql<{ readonly id: LedgerSchedule['disposal_event_id'] }>`SELECT disposal_event_id AS id FROM ledger_schedule`,
    );
    await inStore(book, sql`UPDATE ledger_schedule SET disposal_event_id = 'evt_other'`);
    await done(book, 'create-event-block', reversalOf(book, saleId, '2026-07-02'));
    await inStore(book, sql`UPDATE ledger_schedule SET disposal_event_id = ${sale?.id}`);
    const back = await entryNamed(book, `Reversal of journal entry ${saleId}`);
    await done(book, 'create-event-block', reversalOf(book, back.id, '2026-07-02'));
    expect(await trialBalance(book)).toEqual({ 1000: -5_500, 6900: 4_200, 7200: 1_300 });
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 30 });
    const again = await entryNamed(book, `Reversal of journal entry ${back.id}`);
    await done(book, 'create-event-block', reversalOf(book, again.id, '2026-07-02'));
    expect(await trialBalance(book)).toEqual({ 1000: -27_000, 1520: 27_000, 1590: -4_200, 6900: 4_200 });
    expect(await obligations(book, id)).toEqual({ fulfilled: 6, voided: 30, pending: 30 });
    await expectLaws(service, book);
  });

  it('previews the rejection of an unknown account while another transaction holds the lock of the schedule (ledger L-97, L-150)', async () => {
    const { book, saleId } = await withSale();
    const reversal = { ...reversalOf(book, saleId, '2026-07-02'), resource_element_id: 'elem_none' };
    const isServer = service.store.driver === 'postgres';
    const held = signal();
    const release = signal();
    // The schedule is locked after the calendar, in a statement sent after the accounts were rejected.
    const holder = service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(sql`SELECT FROM ledger_schedule FOR UPDATE`);
      held.give();
      if (isServer) await release.given;
    });
    await held.given;
    const previewed = await book.operation('preview-event-block', reversal);
    release.give();
    await holder;
    expect([previewed.status, previewed.body.result?.validation_errors]).toEqual([
      200,
      ["resource_element_id: 'elem_none' was not found in this graph."],
    ]);
  });
});

describe('metadata of asset_disposed', () => {
  it("accepts corrections of a disposal's metadata until it is committed, and not afterwards (ledger L-75, L-76, L-188)", async () => {
    const { book, id } = await openWithVan(user);
    const { id: eventId } = await done(book, 'create-event-block', {
      ...disposal(book, id, { proceeds: 1 }),
      apply_handlers: false,
    });
    const corrected = { event_id: eventId, metadata_patch: { proceeds: 2_150_000, buyer: 'A garage' } };
    await done(book, 'update-event-block', corrected);
    await done(book, 'update-event-block', { event_id: eventId, transition_to: 'committed' });
    expect(legs(await entryNamed(book, 'Van sold'))[0]).toEqual(['1590', 4_200, 0]);
    const anchor = await anchorOf(book);
    const before = await everything(book);
    for (const [subjectId, key] of [
      [eventId, 'schedule_id'],
      [eventId, 'proceeds'],
      [eventId, 'gain_loss_element_id'],
      [anchor, 'void_history'],
    ] as const) {
      const refused = await book.operation('update-event-block', {
        event_id: subjectId,
        metadata_patch: { [key]: null },
      });
      expect(refusal(refused)).toEqual([422, `metadata_patch cannot set system-maintained keys: ${key}`]);
    }
    expect(await everything(book)).toEqual(before);
    await done(book, 'update-event-block', { event_id: eventId, metadata_patch: { buyer: 'Another garage' } });
  });
});
