/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from './books.ts';
import { type Example, journal, lineItems, openExample, trialBalance } from './example.ts';

/** Worked example A: a consultancy's first month, booked by handlers and journals, and closed (ledger 13.1). */
let book: Example;
const events: Loose[] = [];

beforeAll(async () => {
  book = await openExample(
    '2026-04-01T12:00:00Z',
    { template: 'services', entity_type: 'llc' },
    { earliest_data_period: '2026-03' },
  );
});
afterAll(() => book.service.close());

const calendar = async (): Promise<Loose> =>
  (
    await book.query(`{ fiscalCalendar { closedThrough closeTarget closeableNow blockers pendingObligationCount
      pendingObligationSample { period } earliestPendingPeriod periods { name status } } }`)
  ).fiscalCalendar;

const open = async (): Promise<Loose> =>
  book.query(`{ openReceivables { totalOpenCents counterpartyCount openEventCount }
    openPayables { totalOpenCents counterpartyCount openEventCount } }`);

/** The entry template of a tenant's handler. */
function template(debit: string, credit: string, amount: string): object {
  const leg = (code: string) => ({ element_id: `code:${code}`, amount: `{{ ${amount} }}` });
  return { transactions: [{ entry_template: { debit: leg(debit), credit: leg(credit) } }] };
}

async function entriesOf(eventId: string): Promise<Loose[]> {
  const { journalEntries } = await book.query(
    '{ journalEntries(limit: 100) { entries { id status triggeredByEventId reversalOf } } }',
  );
  return journalEntries.entries.filter((entry: Loose) => entry.triggeredByEventId === eventId);
}

describe("example 13.1: a consultancy's first month", () => {
  it('starts with two open months and nothing closed (ledger L-14, 13.1)', async () => {
    expect(await calendar()).toMatchObject({ closedThrough: null, closeTarget: null });
    expect((await calendar()).periods).toMatchObject([
      { name: '2026-03', status: 'open' },
      { name: '2026-04', status: 'open' },
    ]);
    expect((await book.done('set-close-target', { period: '2026-03' })).close_target).toBe('2026-03');
  });

  it('records seven events as drafts that no balance includes yet (ledger L-86, L-103, L-163, 13.1)', async () => {
    await book.done('create-event-handler', {
      name: 'Owner contribution',
      event_type: 'owner_contribution',
      transaction_template: template('1000', '3000', 'event.amount'),
    });
    await book.done('create-event-handler', {
      name: 'Rent',
      event_type: 'rent_paid',
      transaction_template: template('6100', '1000', 'event.amount_abs'),
    });
    const agent = async (name: string, agentType: string): Promise<string> =>
      (await book.done('create-agent', { name, agent_type: agentType })).id;
    const [client, subcontractor] = [await agent('Client A', 'customer'), await agent('Sub Ltd', 'vendor')];
    const handled = (eventType: string, date: string, eventCategory: string, amount: number) =>
      book.done('create-event-block', {
        event_type: eventType,
        event_category: eventCategory,
        occurred_at: `${date}T00:00:00Z`,
        source: 'manual',
        amount,
        apply_handlers: true,
      });
    events.push(await handled('owner_contribution', '2026-03-01', 'financing', 4_000_000));
    events.push(await handled('rent_paid', '2026-03-02', 'purchase', -240_000));
    const invoice = await journal(
      book,
      '2026-03-05',
      [
        ['1100', 1_250_000, 0],
        ['4000', 0, 1_250_000],
      ],
      { event_type: 'invoice_issued', event_category: 'sales', agent_id: client, amount: 1_250_000 },
    );
    events.push(invoice);
    events.push(
      await journal(book, '2026-03-08', [
        ['1300', 360_000, 0],
        ['1000', 0, 360_000],
      ]),
    );
    events.push(
      await journal(
        book,
        '2026-03-20',
        [
          ['1000', 750_000, 0],
          ['1100', 0, 750_000],
        ],
        {
          event_type: 'payment_received',
          event_category: 'sales',
          agent_id: client,
          amount: 750_000,
          discharges_event_id: invoice.id,
        },
      ),
    );
    events.push(
      await journal(
        book,
        '2026-03-25',
        [
          ['5000', 185_000, 0],
          ['2000', 0, 185_000],
        ],
        { event_type: 'bill_received', event_category: 'purchase', agent_id: subcontractor, amount: 185_000 },
      ),
    );
    events.push(
      await journal(
        book,
        '2026-03-31',
        [
          ['6000', 520_000, 0],
          ['1000', 0, 418_000],
          ['2200', 0, 102_000],
        ],
        { event_category: 'payroll' },
      ),
    );
    expect(events.map((event) => event.status)).toEqual(events.map(() => 'classified'));
    expect(await trialBalance(book)).toEqual({ total: [0, 0, 0] });
    expect((await open()).openReceivables).toMatchObject({ totalOpenCents: 0 });
  });

  it('spreads the insurance over twelve months (ledger L-177 to L-182, 13.1)', async () => {
    const block = await book.done('create-information-block', {
      block_type: 'schedule',
      payload: {
        name: 'Insurance',
        element_ids: [book.id('6300'), book.id('1300')],
        period_start: '2026-03-01',
        period_end: '2027-02-28',
        monthly_amount: 30_000,
        entry_template: { debit_element_id: book.id('6300'), credit_element_id: book.id('1300') },
        schedule_metadata: {
          method: 'straight_line',
          original_amount: 360_000,
          useful_life_months: 12,
          asset_element_id: book.id('1300'),
        },
      },
    });
    expect(block.facts).toHaveLength(25);
    expect(block.verification_results.map((result: Loose) => result.status)).toEqual(['pass']);
    const { eventBlocks } = await book.query(
      '{ eventBlocks(source: "schedule", limit: 50) { events: eventType status } }',
    );
    expect(eventBlocks.filter(({ status }: Loose) => status === 'pending')).toHaveLength(12);
    expect(eventBlocks).toHaveLength(13);
    expect(await calendar()).toMatchObject({
      closeableNow: false,
      blockers: ['pending_obligations'],
      pendingObligationCount: 1,
      pendingObligationSample: [{ period: '2026-03' }],
      earliestPendingPeriod: '2026-03',
    });
  });

  it('drafts the March installment and lists eight balanced drafts (ledger L-173, L-185, 13.1)', async () => {
    expect(await book.done('promote-obligations', {})).toMatchObject({
      classified_count: 1,
      dispatched_count: 1,
      error_count: 0,
    });
    const { periodDrafts } = await book.query(`{ periodDrafts(period: "2026-03") { draftCount totalDebit totalCredit
      allBalanced qbPublishCount drafts { postingDate type lineItems { elementCode debitAmount creditAmount } } } }`);
    expect(periodDrafts).toMatchObject({
      draftCount: 8,
      totalDebit: 7_335_000,
      totalCredit: 7_335_000,
      allBalanced: true,
      qbPublishCount: 0,
    });
    const insurance = periodDrafts.drafts.find(({ type }: Loose) => type === 'closing');
    expect(insurance).toMatchObject({
      postingDate: '2026-03-31',
      lineItems: [
        { elementCode: '6300', debitAmount: 30_000, creditAmount: 0 },
        { elementCode: '1300', debitAmount: 0, creditAmount: 30_000 },
      ],
    });
  });

  it('closes March: the drafts are posted and the calendar advances (ledger L-158, L-159, 13.1)', async () => {
    expect(await book.done('close-period', { period: '2026-03' })).toMatchObject({
      period: '2026-03',
      entries_posted: 8,
      entries_posted_locally: 8,
      entries_published_to_qb: 0,
      target_auto_advanced: true,
      rule_summary: { pass: 1 },
      fiscal_calendar: { closed_through: '2026-03', close_target: '2026-04' },
    });
    expect(await trialBalance(book)).toEqual({
      1000: [47_500, 10_180, 37_320],
      1100: [12_500, 7_500, 5_000],
      1300: [3_600, 300, 3_300],
      2000: [0, 1_850, -1_850],
      2200: [0, 1_020, -1_020],
      3000: [0, 40_000, -40_000],
      4000: [0, 12_500, -12_500],
      5000: [1_850, 0, 1_850],
      6000: [5_200, 0, 5_200],
      6100: [2_400, 0, 2_400],
      6300: [300, 0, 300],
      total: [73_350, 73_350, 0],
    });
    expect(await open()).toEqual({
      openReceivables: { totalOpenCents: 500_000, counterpartyCount: 1, openEventCount: 1 },
      openPayables: { totalOpenCents: 185_000, counterpartyCount: 1, openEventCount: 1 },
    });
  });

  it('rejects changes to posted entries (ledger L-54, L-72, L-151, 13.1)', async () => {
    const march = await trialBalance(book);
    const late = await book.operation('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'adjustment',
      occurred_at: '2026-03-15T00:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: {
        posting_date: '2026-03-15',
        memo: 'late',
        line_items: lineItems(book, [
          ['6300', 100, 0],
          ['1000', 0, 100],
        ]),
      },
    });
    expect([late.status, late.body.detail]).toEqual([
      422,
      expect.stringContaining("Cannot write to closed period '2026-03'"),
    ]);
    for (const event of events) {
      const [entry] = await entriesOf(event.id);
      const refused = await book.operation('delete-journal-entry', { entry_id: entry.id });
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining("is 'posted'")]);
    }
    const voided = await book.operation('update-event-block', { event_id: events[0].id, transition_to: 'voided' });
    expect([voided.status, voided.body.detail]).toEqual([422, expect.stringContaining('Reverse the posted entries')]);
    expect(await trialBalance(book)).toEqual(march);
  });

  it('reverses the rent in April and leaves March unchanged (ledger L-60, L-62, 13.1)', async () => {
    book.clock.set('2026-04-02T12:00:00Z');
    const march = await trialBalance(book, '(endDate: "2026-03-31")');
    const [rent] = await entriesOf(events[1].id);
    await book.done('create-event-block', {
      event_type: 'journal_entry_reversed',
      event_category: 'adjustment',
      occurred_at: '2026-04-02T00:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: { entry_id: rent.id, posting_date: '2026-04-02' },
    });
    const { journalEntries } = await book.query('{ journalEntries(limit: 100) { entries { id status reversalOf } } }');
    expect(journalEntries.entries.find(({ id }: Loose) => id === rent.id).status).toBe('reversed');
    expect(journalEntries.entries.find(({ reversalOf }: Loose) => reversalOf === rent.id).status).toBe('posted');
    expect(await trialBalance(book, '(endDate: "2026-03-31")')).toEqual(march);
    expect((await trialBalance(book, '(startDate: "2026-04-01")'))['6100']).toEqual([0, 2_400, -2_400]);
  });

  it('rejects closing April before it is over (ledger L-151 to L-152, 13.1)', async () => {
    book.clock.set('2026-04-30T12:00:00Z');
    const before = await calendar();
    const refused = await book.operation('close-period', { period: '2026-04' });
    expect(refused.status).toBe(422);
    expect(refused.body.details.blockers).toEqual(['period_incomplete', 'pending_obligations']);
    expect(await calendar()).toEqual(before);
  });
});
