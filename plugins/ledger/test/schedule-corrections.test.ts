/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { type Books, done, type Loose } from './books.ts';
import { disposal, entryNamed, linesOver, openWithHalfYear } from './disposal-books.ts';
import { clock, service, useDisposalBooks, user } from './disposal-fixture.ts';
import { expectLaws } from './laws.ts';
import { readBooks } from './read-books.ts';
import { draftOf, entries, everything, legs, obligationOf, obligations, refusal } from './schedule-books.ts';

useDisposalBooks();

const sale = { proceeds: 100_000 };

async function reshape(book: Books, id: string, amounts: readonly number[]): Promise<void> {
  const metadata = { original_amount: 420_000, asset_element_id: book.id('1520'), method: 'custom' };
  const payload = { structure_id: id, schedule_metadata: { ...metadata, periodic_amounts: amounts } };
  await done(book, 'update-information-block', { block_type: 'schedule', payload });
}

describe('voiding a disposal before it has posted', () => {
  it('restores the months and the rule of the schedule, which can be closed and disposed of again (ledger L-188, L-73, L-208)', async () => {
    const { book, id } = await openWithHalfYear(user);
    const rules = `{ informationBlock(id: "${id}") { rules { ruleExpression } } }`;
    const before = (await book.query(rules)).informationBlock;
    const first = await done(book, 'create-event-block', disposal(book, id, sale, '2026-03-31'));
    expect(await obligations(book, id)).toEqual({ classified: 3, voided: 3 });
    const disposed = await readBooks(service.store, book.graph);
    await done(book, 'update-event-block', { event_id: first.id, transition_to: 'voided' });
    expect(await obligations(book, id)).toEqual({ classified: 3, voided: 3, pending: 3 });
    expect((await book.query(rules)).informationBlock).toEqual(before);
    await expectLaws(service, book, disposed);
    await done(book, 'promote-obligations', {});
    expect(await obligations(book, id)).toEqual({ classified: 5, voided: 3, pending: 1 });
    await done(book, 'set-close-target', { period: '2026-01' });
    await done(book, 'close-period', { period: '2026-01' });
    await done(book, 'rebuild-schedule', { structure_id: id });
    const second = await done(book, 'create-event-block', disposal(book, id, sale, '2026-05-31'));
    expect(second).toMatchObject({ status: 'fulfilled' });
    await expectLaws(service, book);
    const other = await done(book, 'create-event-block', {
      ...disposal(book, id, sale, '2026-04-30'),
      apply_handlers: false,
    });
    await done(book, 'update-event-block', {
      event_id: second.id,
      transition_to: 'superseded',
      superseded_by_id: other.id,
    });
    await done(book, 'terminate-schedule', { structure_id: id, new_end_date: '2026-05-31', reason: 'Given away' });
    await expectLaws(service, book);
  });
});

describe('rebuild-schedule with changed amounts', () => {
  it('drafts the changed months again (ledger L-187, L-183)', async () => {
    const { book, id } = await openWithHalfYear(user);
    await reshape(book, id, [70_000, 70_000, 70_000, 50_000, 90_000, 70_000]);
    const before = await readBooks(service.store, book.graph);
    expect(await done(book, 'rebuild-schedule', { structure_id: id })).toMatchObject({
      pending_event_count: 3,
      rule_summary: { pass: 1 },
    });
    expect(await entries(book)).toHaveLength(3);
    await expectLaws(service, book, before);
    await done(book, 'promote-obligations', {});
    expect(legs(await draftOf(book, '2026-04-30'))).toEqual([
      ['6900', 500, 0],
      ['1590', 0, 500],
    ]);
    expect(legs(await draftOf(book, '2026-05-31'))[0]).toEqual(['6900', 900, 0]);
    await expectLaws(service, book, before);
  });

  it('rejects changes of posted months, and spreads the difference over the others (ledger L-187, L-53)', async () => {
    const { book, id } = await openWithHalfYear(user);
    await done(book, 'set-close-target', { period: '2026-01' });
    await done(book, 'close-period', { period: '2026-01' });
    await reshape(book, id, [60_000, 80_000, 70_000, 70_000, 70_000, 70_000]);
    const before = await everything(book);
    const refused = await book.operation('rebuild-schedule', { structure_id: id });
    expect(refusal(refused)).toEqual([422, expect.stringContaining('for 2026-01 are posted')]);
    expect(await everything(book)).toEqual(before);
    await reshape(book, id, [70_000, 80_000, 60_000, 70_000, 70_000, 70_000]);
    await done(book, 'rebuild-schedule', { structure_id: id });
    await done(book, 'promote-obligations', {});
    expect(legs(await draftOf(book, '2026-02-28'))[0]).toEqual(['6900', 800, 0]);
    await expectLaws(service, book);
  });

  it('keeps the months void that a user voided (ledger L-187)', async () => {
    const { book, id } = await openWithHalfYear(user);
    for (const day of ['2026-05-31', '2026-06-30']) {
      const event = { event_id: await obligationOf(book, id, day), transition_to: 'voided' };
      await done(book, 'update-event-block', event);
    }
    expect(await obligations(book, id)).toEqual({ classified: 4, voided: 2 });
    expect(await done(book, 'rebuild-schedule', { structure_id: id })).toMatchObject({ pending_event_count: 0 });
    expect(await obligations(book, id)).toEqual({ classified: 4, voided: 2 });
    await reshape(book, id, [70_000, 70_000, 70_000, 60_000, 80_000, 70_000]);
    expect(await done(book, 'rebuild-schedule', { structure_id: id })).toMatchObject({ pending_event_count: 1 });
    expect(await obligations(book, id)).toEqual({ classified: 3, voided: 3, pending: 1 });
    await expectLaws(service, book);
  });
});

describe('accumulated depreciation of a disposal', () => {
  const edited = (book: Books, entry: Loose, amount: number, credit: string): object => ({
    entry_id: entry.id,
    line_items: linesOver(book, amount, '6900', credit),
  });

  it('counts the depreciation that the ledger holds: edited drafts as edited, and voided months not at all (ledger L-188)', async () => {
    const { book, id } = await openWithHalfYear(user);
    await done(book, 'update-journal-entry', edited(book, await draftOf(book, '2026-03-31'), 55_000, '1590'));
    const event = { event_id: await obligationOf(book, id, '2026-02-28'), transition_to: 'voided' };
    await done(book, 'update-event-block', event);
    clock.set('2026-06-15T12:01:00Z');
    await done(book, 'create-event-block', disposal(book, id, sale, '2026-06-30'));
    // January, March as edited, April, May and June.
    expect(legs(await entryNamed(book, 'Van sold'))[0]).toEqual(['1590', 3_350, 0]);
    await expectLaws(service, book);
  });

  it('rejects the disposal when the entry of a month credits another account, and names the month (ledger L-188)', async () => {
    const { book, id } = await openWithHalfYear(user);
    await done(book, 'update-journal-entry', edited(book, await draftOf(book, '2026-03-31'), 70_000, '1300'));
    const before = await everything(book);
    const refused = await book.operation('create-event-block', disposal(book, id, sale, '2026-06-30'));
    expect(refusal(refused)).toEqual([422, expect.stringContaining('for 2026-03 credit other accounts')]);
    expect(await everything(book)).toEqual(before);
  });
});
