/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { type Books, done, type Loose } from './books.ts';
import {
  closeMonths,
  disposal,
  entryNamed,
  linesOver,
  openWithVan,
  reversalOf,
  trialBalance,
} from './disposal-books.ts';
import { clock, service, useDisposalBooks, user } from './disposal-fixture.ts';
import { expectLaws } from './laws.ts';
import { draftOf, entries, entryDue, everything, legs, obligationOf, obligations, refusal } from './schedule-books.ts';

useDisposalBooks();

/** Sends a request that must be rejected without a change, and returns the status and message. */
async function refusedWith(book: Books, name: string, body: object): Promise<readonly [number, string]> {
  const before = await everything(book);
  const answer = await book.operation(name, body);
  expect(await everything(book)).toEqual(before);
  return refusal(answer);
}

const counted = (what: string): readonly unknown[] => [
  422,
  expect.stringMatching(new RegExp(`${what}: the disposal of 2026-06-30 that ended schedule 'Van' has counted`)),
];

describe('entries that a disposal has counted', () => {
  it('rejects editing, deleting, retracting or redrafting a counted entry until the disposal is voided (ledger L-188)', async () => {
    const { book, id } = await openWithVan(user);
    const february = { event_id: await obligationOf(book, id, '2026-02-28'), transition_to: 'voided' };
    await done(book, 'update-event-block', february);
    const sale = await done(book, 'create-event-block', disposal(book, id));
    const march = await draftOf(book, '2026-03-31');
    const edit = { entry_id: march.id, line_items: linesOver(book, 55_000, '6900', '1590') };
    expect(await refusedWith(book, 'update-journal-entry', edit)).toEqual(
      counted(`Journal entry ${march.id} cannot be changed`),
    );
    const remove = { entry_id: march.id };
    expect(await refusedWith(book, 'delete-journal-entry', remove)).toEqual(counted('cannot be changed'));
    const drop = { event_id: await obligationOf(book, id, '2026-03-31'), transition_to: 'voided' };
    expect(await refusedWith(book, 'update-event-block', drop)).toEqual(counted('cannot be retracted'));
    expect(await refusedWith(book, 'create-event-block', entryDue(id, '2026-02-28'))).toEqual(
      counted('The entry for 2026-02 cannot be drafted'),
    );
    const whole = { block_type: 'schedule', payload: { structure_id: id } };
    expect(await refusedWith(book, 'delete-information-block', whole)).toEqual(counted('cannot be deleted with it'));
    await done(book, 'update-journal-entry', { entry_id: march.id, memo: 'Depreciation of March' });

    await done(book, 'update-event-block', { event_id: sale.id, transition_to: 'voided' });
    await done(book, 'update-journal-entry', edit);
    await done(book, 'create-event-block', disposal(book, id));
    // January, March as edited, April, May and June.
    expect(legs(await entryNamed(book, 'Van sold'))[0]).toEqual(['1590', 3_350, 0]);
    clock.set('2026-07-02T12:00:00Z');
    await closeMonths(book, '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    expect(await trialBalance(book)).toEqual({ 1000: 21_500, 1520: -27_000, 6900: 3_350, 7200: 2_150 });
    await expectLaws(service, book);
  });

  it('rejects an edit of a counted entry that races with the disposal (ledger L-150, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    const march = await draftOf(book, '2026-03-31');
    const edit = { entry_id: march.id, line_items: linesOver(book, 55_000, '6900', '1590') };
    const answers = await Promise.all([
      book.operation('create-event-block', disposal(book, id)),
      book.operation('update-journal-entry', edit),
    ]);
    const [sold, edited] = answers.map(({ status }) => status);
    expect([sold, edited].filter((status) => status === 200).length).toBeGreaterThan(0);
    // The second caller must retry, or learns that the disposal has counted the draft.
    expect([200, 409]).toContain(sold);
    expect([200, 409, 422]).toContain(edited);
    const all = await entries(book);
    const held = all
      .filter((each) => each.sourceStructureId === id)
      .reduce((sum, each) => sum + (legs(each)[0]?.[1] ?? 0), 0);
    // January to June when sold, to May when not; 150 less for March when it was edited first.
    expect(held).toBe((sold === 200 ? 4_200 : 3_500) - (edited === 200 ? 150 : 0));
    const sale = all.find((each: Loose) => each.memo === 'Van sold');
    expect(sale === undefined ? undefined : legs(sale)[0]).toEqual(sold === 200 ? ['1590', held, 0] : undefined);
    await expectLaws(service, book);
  });

  it('rejects reversing a counted entry while the disposal is a draft, and accepts it once the disposal has posted (ledger L-60, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await closeMonths(book, '2026-01');
    const january = await draftOf(book, '2026-01-31');
    await done(book, 'create-event-block', disposal(book, id));
    const undo = reversalOf(book, january.id, '2026-06-15');
    expect(await refusedWith(book, 'create-event-block', undo)).toEqual(counted('cannot be reversed'));
    clock.set('2026-07-02T12:00:00Z');
    await closeMonths(book, '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    await done(book, 'create-event-block', reversalOf(book, january.id, '2026-07-02'));
    expect(await trialBalance(book)).toEqual({ 1000: 21_500, 1520: -27_000, 1590: 700, 6900: 3_500, 7200: 1_300 });
    await expectLaws(service, book);
  });

  it('counts an entry again when its reversal is reversed, which a draft disposal blocks (ledger L-63, L-188)', async () => {
    const { book, id } = await openWithVan(user);
    await closeMonths(book, '2026-01');
    const january = await draftOf(book, '2026-01-31');
    await done(book, 'create-event-block', reversalOf(book, january.id, '2026-06-15'));
    const { id: saleId } = await done(book, 'create-event-block', disposal(book, id));
    // February to June.
    expect(legs(await entryNamed(book, 'Van sold'))[0]).toEqual(['1590', 3_500, 0]);
    const back = await entryNamed(book, `Reversal of journal entry ${january.id}`);
    const again = reversalOf(book, back.id, '2026-06-15');
    expect(await refusedWith(book, 'create-event-block', again)).toEqual(
      counted(`Journal entry ${back.id} cannot be reversed`),
    );
    await done(book, 'update-event-block', { event_id: saleId, transition_to: 'voided' });
    await done(book, 'create-event-block', again);
    await done(book, 'create-event-block', disposal(book, id));
    expect(legs(await entryNamed(book, 'Van sold'))[0]).toEqual(['1590', 4_200, 0]);
    clock.set('2026-07-02T12:00:00Z');
    await closeMonths(book, '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    expect(await trialBalance(book)).toEqual({ 1000: 21_500, 1520: -27_000, 6900: 4_200, 7200: 1_300 });
    await expectLaws(service, book);
  });
});

describe('asset_disposed in the middle of a month', () => {
  it('removes the draft of the month whatever its date, so that the month is not depreciated (ledger L-188)', async () => {
    clock.set('2026-07-02T12:00:00Z');
    const { book, id } = await openWithVan(user);
    const june = await draftOf(book, '2026-06-30');
    await done(book, 'update-journal-entry', { entry_id: june.id, posting_date: '2026-06-10' });
    const sale = disposal(book, id, {}, '2026-06-15');
    expect((await done(book, 'preview-event-block', sale)).handler_metadata).toMatchObject({
      accumulated_depreciation_cents: 350_000,
      nbv_cents: 2_350_000,
      gain_loss_cents: -200_000,
    });
    const { id: saleId } = await done(book, 'create-event-block', sale);
    expect(await obligations(book, id)).toEqual({ classified: 5, voided: 31 });
    expect((await entries(book)).map((each: Loose) => each.postingDate)).not.toContain('2026-06-10');
    await expectLaws(service, book);
    await done(book, 'update-event-block', { event_id: saleId, transition_to: 'voided' });
    await done(book, 'promote-obligations', {});
    expect(legs(await draftOf(book, '2026-06-30'))).toEqual([
      ['6900', 700, 0],
      ['1590', 0, 700],
    ]);
    await done(book, 'create-event-block', sale);
    await closeMonths(book, '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06');
    expect(await trialBalance(book)).toEqual({ 1000: 21_500, 1520: -27_000, 6900: 3_500, 7200: 2_000 });
    await expectLaws(service, book);
  });
});
