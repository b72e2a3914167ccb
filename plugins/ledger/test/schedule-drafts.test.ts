/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { done, type Loose } from './books.ts';
import {
  createSchedule,
  entries,
  entryDue,
  everything,
  insurance,
  legs,
  obligationOf,
  refusal,
  schedule,
} from './schedule-books.ts';
import { open, useScheduleBooks } from './schedule-fixture.ts';

useScheduleBooks();

describe('drafts of a schedule', () => {
  it('reverses an accrual on the first of the next month, and deletes it together with its reversal (ledger L-184, L-59, L-73)', async () => {
    const book = await open();
    const entryTemplate = {
      debit_element_id: book.id('6100'),
      credit_element_id: book.id('2100'),
      auto_reverse: true,
      entry_type: 'adjusting',
    };
    const block = await createSchedule(
      book,
      schedule(book, '6100', '2100', { name: 'Rent', entry_template: entryTemplate }),
    );
    await book.operation('promote-obligations');
    const [reversal, accrual, ...others] = await entries(book);
    expect(others).toEqual([]);
    expect(accrual).toMatchObject({ type: 'adjusting', postingDate: '2026-03-31', status: 'draft' });
    expect(reversal).toMatchObject({
      type: 'reversing',
      postingDate: '2026-04-01',
      status: 'draft',
      memo: 'Reverse: Monthly schedule - Rent',
    });
    expect(legs(reversal)).toEqual([
      ['6100', 0, 300],
      ['2100', 300, 0],
    ]);
    const refused = await book.operation('delete-journal-entry', { entry_id: accrual.id });
    expect(refusal(refused)).toEqual([422, expect.stringContaining('retract the event instead')]);
    const before = await everything(book);
    const alone = await book.operation('delete-journal-entry', { entry_id: reversal.id });
    expect(refusal(alone)).toEqual([
      422,
      expect.stringContaining(`is the automatic reversal of ${accrual.id} and cannot be changed alone. Change the`),
    ]);
    expect(await everything(book)).toEqual(before);
    const payload = { structure_id: block.id, entry_template: { ...entryTemplate, auto_reverse: false } };
    await done(book, 'update-information-block', { block_type: 'schedule', payload });
    await done(book, 'create-event-block', entryDue(block.id, '2026-03-31'));
    expect(await entries(book)).toHaveLength(1);
    await done(book, 'update-information-block', {
      block_type: 'schedule',
      payload: { structure_id: block.id, entry_template: entryTemplate },
    });
    await done(book, 'create-event-block', entryDue(block.id, '2026-03-31'));
    expect(await entries(book)).toHaveLength(2);
    const { eventBlocks } = await book.query(
      '{ eventBlocks(eventType: "schedule_entry_due", status: "classified") { id } }',
    );
    for (const { id } of eventBlocks)
      await book.operation('update-event-block', { event_id: id, transition_to: 'voided' });
    expect(await entries(book)).toEqual([]);
  });

  it('rejects a draft before the calendar once months have closed, and names the remaining options (ledger L-151, L-167)', async () => {
    const book = await open();
    const block = await createSchedule(book, insurance(book, { period_start: '2026-02-01', period_end: '2027-01-31' }));
    const dropped = { event_id: await obligationOf(book, block.id, '2026-02-28'), transition_to: 'voided' };
    await done(book, 'update-event-block', dropped);
    await done(book, 'promote-obligations', {});
    await done(book, 'close-period', { period: '2026-03' });
    const before = await everything(book);
    const refused = await book.operation('create-event-block', entryDue(block.id, '2026-02-28'));
    expect(refusal(refused)).toEqual([
      422,
      "Cannot write to closed period '2026-02' (posting_date=2026-02-28). The calendar begins with 2026-03, and no period before it can be reopened. Use a date in an open period.",
    ]);
    expect(await everything(book)).toEqual(before);
  });

  it('rejects deleting the reversal of a posted accrual, because it posts with its month (ledger L-184, L-59)', async () => {
    const book = await open();
    const template = { debit_element_id: book.id('6100'), credit_element_id: book.id('2100'), auto_reverse: true };
    await createSchedule(book, schedule(book, '6100', '2100', { name: 'Rent', entry_template: template }));
    await done(book, 'promote-obligations', {});
    await done(book, 'close-period', { period: '2026-03' });
    const [reversal, accrual] = await entries(book);
    expect([reversal.status, accrual.status]).toEqual(['draft', 'posted']);
    const before = await everything(book);
    const answer = await book.operation('delete-journal-entry', { entry_id: reversal.id });
    expect(refusal(answer)).toEqual([
      422,
      expect.stringContaining('It posts when its month is closed; reverse it then'),
    ]);
    expect(await everything(book)).toEqual(before);
  });

  it('rejects moving a draft out of its month or changing it apart from its reversal (ledger L-183, L-184, L-204)', async () => {
    const book = await open();
    const template = { debit_element_id: book.id('6100'), credit_element_id: book.id('2100'), auto_reverse: true };
    await createSchedule(book, schedule(book, '6100', '2100', { name: 'Rent', entry_template: template }));
    await createSchedule(book, insurance(book));
    await book.operation('promote-obligations');
    const drafted = await entries(book);
    const reversal = drafted.find(({ type }) => type === 'reversing');
    const accrual = drafted.find(
      ({ lineItems }) => legs({ lineItems })[0]?.[0] === '6100' && lineItems !== reversal.lineItems,
    );
    const plain = drafted.find(({ id }) => id !== reversal.id && id !== accrual.id);
    const lineItems = [
      { element_id: book.id('6100'), debit_amount: 7, credit_amount: 0 },
      { element_id: book.id('2100'), debit_amount: 0, credit_amount: 7 },
    ];
    const cases: readonly (readonly [Loose, object, string])[] = [
      [accrual, { line_items: lineItems }, 'has an automatic reversal'],
      [accrual, { posting_date: '2026-03-30' }, 'has an automatic reversal'],
      [reversal, { line_items: lineItems }, `is the automatic reversal of ${accrual.id}`],
      [reversal, { posting_date: '2026-03-01' }, `is the automatic reversal of ${accrual.id}`],
      [plain, { posting_date: '2026-04-15' }, 'belongs to 2026-03'],
    ];
    const before = await everything(book);
    for (const [entry, change, words] of cases) {
      const answer = await book.operation('update-journal-entry', { entry_id: entry.id, ...change });
      expect(refusal(answer)).toEqual([422, expect.stringContaining(words)]);
    }
    expect(await everything(book)).toEqual(before);
    const within = { entry_id: plain.id, posting_date: '2026-03-30', memo: 'a day earlier' };
    expect((await book.operation('update-journal-entry', within)).status).toBe(200);
  });
});
