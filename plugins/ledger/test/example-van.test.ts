/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from './books.ts';
import { type Example, journal, openExample, trialBalance } from './example.ts';

/** Worked example B: inventory, a van, its depreciation and its disposal (ledger 13.2). */
let book: Example;
let van: string;

beforeAll(async () => {
  book = await openExample(
    '2026-02-01T12:00:00Z',
    { template: 'product', entity_type: 'corporation' },
    { earliest_data_period: '2026-01' },
  );
});
afterAll(() => book.service.close());

/** The request that sells the van, with the changes of a variant. */
function disposal(occurred: string, metadata: object): object {
  return {
    event_type: 'asset_disposed',
    event_category: 'adjustment',
    occurred_at: `${occurred}T00:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: { schedule_id: van, memo: 'Van sold', reason: 'sold', ...metadata },
  };
}

const sold = (): object => ({
  proceeds: 2_150_000,
  proceeds_element_id: book.id('1000'),
  gain_loss_element_id: book.id('7200'),
});

async function preview(request: object): Promise<Loose> {
  const { event_type, ...rest } = request as Loose;
  return book.done('preview-event-block', { event_type, ...rest });
}

async function obligations(): Promise<Readonly<Record<string, number>>> {
  const { eventBlocks } = await book.query('{ eventBlocks(eventType: "schedule_entry_due", limit: 100) { status } }');
  const counts: Record<string, number> = {};
  for (const { status } of eventBlocks) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const vanBlock = async (): Promise<Loose> =>
  (
    await book.query(`{ informationBlock(id: "${van}") { facts { elementId periodType periodStart periodEnd value }
      rules { rulePattern } } }`)
  ).informationBlock;

/** Drafts the due obligations and closes the month, on the first day after it. */
async function closeMonth(month: string, next: string): Promise<Loose> {
  book.clock.set(`${next}-01T12:00:00Z`);
  await book.done('promote-obligations', {});
  return book.done('close-period', { period: month });
}

describe('example 13.2: a van from purchase to sale', () => {
  it('records the purchase and the schedule of the van (ledger 13.2)', async () => {
    const both = (debit: string, credit: string, amount: number) =>
      [
        [debit, amount, 0],
        [credit, 0, amount],
      ] as const;
    await journal(book, '2026-01-02', both('1000', '3000', 6_000_000), { event_category: 'financing' });
    await journal(book, '2026-01-05', both('1200', '2000', 800_000), {
      event_type: 'bill_received',
      event_category: 'purchase',
      event_action: 'transferAllRights',
      resource_type: 'goods',
      amount: 800_000,
    });
    await journal(book, '2026-01-15', both('1520', '1000', 2_700_000), { event_category: 'purchase' });
    await journal(
      book,
      '2026-01-28',
      [
        ['1000', 540_000, 0],
        ['4000', 0, 540_000],
        ['5000', 310_000, 0],
        ['1200', 0, 310_000],
      ],
      { event_category: 'sales' },
    );
    await journal(book, '2026-02-10', both('2000', '1000', 800_000), {
      event_type: 'bill_paid',
      event_category: 'purchase',
      amount: 800_000,
    });
    const block = await book.done('create-information-block', {
      block_type: 'schedule',
      payload: {
        name: 'Van',
        element_ids: [book.id('6900'), book.id('1590'), book.id('1520')],
        period_start: '2026-01-01',
        period_end: '2028-12-31',
        monthly_amount: 70_000,
        entry_template: { debit_element_id: book.id('6900'), credit_element_id: book.id('1590') },
        schedule_metadata: {
          original_amount: 2_700_000,
          residual_value: 180_000,
          useful_life_months: 36,
          asset_element_id: book.id('1520'),
        },
      },
    });
    van = block.id;
    expect(block.facts).toHaveLength(110);
    const last = block.facts.filter((fact: Loose) => fact.period_end === '2028-12-31');
    const value = (code: string) => last.find((fact: Loose) => fact.element_id === book.id(code)).value;
    // The last month is 700.00 like the others, so that the residual value remains.
    expect([value('6900'), value('1590'), value('1520')]).toEqual([700, 25_200, 1_800]);
  });

  it('depreciates the van month by month through May (ledger L-158, L-183, 13.2)', async () => {
    const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
    const posted: number[] = [];
    for (const [index, month] of months.slice(0, 5).entries())
      posted.push((await closeMonth(month, months[index + 1] ?? '')).entries_posted);
    expect(posted).toEqual([5, 2, 1, 1, 1]);
    expect((await trialBalance(book))['1590']).toEqual([0, 3_500, -3_500]);
  });

  it('rejects an invalid disposal or termination, and changes nothing (ledger L-188, L-189, 13.2)', async () => {
    book.clock.set('2026-06-30T12:00:00Z');
    const before = [await obligations(), await vanBlock(), await trialBalance(book)];
    const free = await book.operation('create-event-block', disposal('2026-06-30', { proceeds: 0 }));
    expect([free.status, free.body.detail]).toEqual([422, expect.stringContaining('gain_loss_element_id')]);
    const middle = { structure_id: van, new_end_date: '2026-06-15', reason: 'sold' };
    expect((await book.operation('terminate-schedule', middle)).status).toBe(422);
    expect([await obligations(), await vanBlock(), await trialBalance(book)]).toEqual(before);
  });

  it('previews the disposal by its date and price (ledger L-96, L-188, 13.2)', async () => {
    expect(await preview(disposal('2026-06-30', sold()))).toMatchObject({
      would_succeed: true,
      handler_metadata: {
        original_amount_cents: 2_700_000,
        accumulated_depreciation_cents: 420_000,
        nbv_cents: 2_280_000,
        sale_proceeds_cents: 2_150_000,
        gain_loss_cents: -130_000,
      },
    });
    expect(await preview(disposal('2026-06-15', sold()))).toMatchObject({
      would_succeed: true,
      handler_metadata: { accumulated_depreciation_cents: 350_000, nbv_cents: 2_350_000, gain_loss_cents: -200_000 },
    });
    const even = { proceeds: 2_280_000, proceeds_element_id: book.id('1000') };
    expect(await preview(disposal('2026-06-30', even))).toMatchObject({
      would_succeed: true,
      handler_metadata: { gain_loss_cents: 0 },
    });
    expect(await obligations()).toMatchObject({ pending: 31 });
  });

  it('sells the van at a loss after drafting the depreciation of June (ledger L-188, 13.2)', async () => {
    const event = await book.done('create-event-block', disposal('2026-06-30', sold()));
    expect(event.status).toBe('fulfilled');
    const { periodDrafts } = await book.query(`{ periodDrafts(period: "2026-06") { totalDebit totalCredit
      drafts { type lineItems { elementCode debitAmount creditAmount } } } }`);
    const legs = periodDrafts.drafts.map(({ lineItems }: Loose) =>
      lineItems.map((line: Loose) => [line.elementCode, line.debitAmount, line.creditAmount]),
    );
    expect(legs).toHaveLength(2);
    expect(legs).toContainEqual([
      ['6900', 70_000, 0],
      ['1590', 0, 70_000],
    ]);
    expect(legs).toContainEqual([
      ['1590', 420_000, 0],
      ['1520', 0, 2_700_000],
      ['1000', 2_150_000, 0],
      ['7200', 130_000, 0],
    ]);
    const { voided = 0, pending = 0, ...done } = await obligations();
    expect([voided, pending]).toEqual([30, 0]);
    expect(Object.values(done).reduce((sum, count) => sum + count, 0)).toBe(6);
    expect((await vanBlock()).rules).toEqual([]);
    const again = await book.operation('create-event-block', disposal('2026-06-30', sold()));
    expect(again.status).toBe(422);
  });

  it('closes June with balanced books (ledger L-160, 13.2)', async () => {
    book.clock.set('2026-07-01T12:00:00Z');
    expect(await book.done('close-period', { period: '2026-06' })).toMatchObject({ entries_posted: 2 });
    expect(await trialBalance(book)).toEqual({
      1000: [86_900, 35_000, 51_900],
      1200: [8_000, 3_100, 4_900],
      1520: [27_000, 27_000, 0],
      1590: [4_200, 4_200, 0],
      2000: [8_000, 8_000, 0],
      3000: [0, 60_000, -60_000],
      4000: [0, 5_400, -5_400],
      5000: [3_100, 0, 3_100],
      6900: [4_200, 0, 4_200],
      7200: [1_300, 0, 1_300],
      total: [142_700, 142_700, 0],
    });
  });
});
