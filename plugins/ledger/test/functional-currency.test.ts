/** @module-tag sessions */
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, periodBalances, rollforwards } from '../src/index.ts';
import { type Books, bookOf, done, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { createSchedule, schedule } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

const sale = (cents: number): readonly Leg[] => [
  ['1000', cents, 0],
  ['4000', 0, cents],
];
const trial =
  '{ trialBalance { rows { accountCode netBalance } totalDebits validation { passed status checks failures } } }';

/** Records a sale in a currency. */
function record(book: Books, currency: string, cents: number, status: 'draft' | 'posted' = 'posted'): Promise<Loose> {
  const body = entry(book, '2026-03-05', sale(cents), { currency }) as Loose;
  return done(book, 'create-event-block', { ...body, metadata: { ...body.metadata, status } });
}

const currencyOf = (book: Books): Promise<string> =>
  service.store.transaction({ graphId: book.graph }, (tx) => service.service.services.resolve(balances).currency(tx));

/** Opens a graph without a calendar and a chart. */
async function emptyBooks(): Promise<Books> {
  return bookOf(user, await user.createGraph('Books', ['roboledger']));
}

const initialize = (book: Books, functionalCurrency: unknown): Promise<Answer> =>
  book.operation('initialize', { earliest_data_period: '2026-03', functional_currency: functionalCurrency });

describe('functional currency', () => {
  it('sets the functional currency with the first posted entry, not with a draft or a voided event (ledger L-5a)', async () => {
    const book = await openBooks(user);
    const draft = await record(book, 'EUR', 7_000, 'draft');
    expect(await currencyOf(book)).toBe('USD');
    await done(book, 'update-event-block', { event_id: draft.id, transition_to: 'voided' });
    await record(book, 'GBP', 10_000);
    expect(await currencyOf(book)).toBe('GBP');
    await record(book, 'USD', 1);
    expect(await currencyOf(book)).toBe('GBP');
    const { trialBalance } = await book.query(trial);
    expect([trialBalance.totalDebits, trialBalance.rows.length]).toEqual([100, 2]);
  });

  it('keeps USD, and shows dollars in the trial balance, after a draft in euros was voided (ledger L-5a)', async () => {
    const book = await openBooks(user);
    const draft = await record(book, 'EUR', 7_000, 'draft');
    await done(book, 'update-event-block', { event_id: draft.id, transition_to: 'voided' });
    await record(book, 'USD', 10_000);
    const { trialBalance } = await book.query(trial);
    expect(trialBalance).toMatchObject({
      rows: [
        { accountCode: '1000', netBalance: 100 },
        { accountCode: '4000', netBalance: -100 },
      ],
      totalDebits: 100,
      validation: { passed: true, status: 'passed', failures: [] },
    });
  });

  it('sets the functional currency on close to that of the earliest draft (ledger L-5a)', async () => {
    const book = await openBooks(user);
    const late = entry(book, '2026-03-20', sale(5), { currency: 'USD' }) as Loose;
    await done(book, 'create-event-block', { ...late, metadata: { ...late.metadata, status: 'draft' } });
    await record(book, 'EUR', 7_000, 'draft');
    await done(book, 'close-period', { period: '2026-03' });
    expect(await currencyOf(book)).toBe('EUR');
  });

  it('does not set the functional currency with the draft of a schedule (ledger L-5a, L-183)', async () => {
    const book = await openBooks(user);
    await createSchedule(book, schedule(book, '6300', '1300'));
    await done(book, 'promote-obligations', {});
    expect(await currencyOf(book)).toBe('USD');
    await record(book, 'CHF', 1);
    expect(await currencyOf(book)).toBe('CHF');
  });

  it('sets the functional currency with initialize, before or after entries in the same currency (ledger L-5a)', async () => {
    const before = await emptyBooks();
    expect((await initialize(before, 'EUR')).status).toBe(200);
    await before.operation('initialize-chart-of-accounts', { template: 'services' });
    const book = await bookOf(user, before.graph);
    expect(await currencyOf(book)).toBe('EUR');
    await record(book, 'USD', 5);
    expect(await currencyOf(book)).toBe('EUR');
    const after = await emptyBooks();
    await after.operation('initialize-chart-of-accounts', { template: 'services' });
    const posted = await bookOf(user, after.graph);
    await record(posted, 'CHF', 5);
    expect((await initialize(posted, 'CHF')).status).toBe(200);
    expect(await currencyOf(posted)).toBe('CHF');
  });

  it('rejects initialize with another functional currency once an entry has posted, and creates no calendar (ledger L-5a)', async () => {
    const bare = await emptyBooks();
    await bare.operation('initialize-chart-of-accounts', { template: 'services' });
    const book = await bookOf(user, bare.graph);
    await record(book, 'USD', 5);
    const refused = await initialize(book, 'EUR');
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'functional_currency: the books are kept in USD, in which entries are posted; it cannot be changed to EUR.',
    ]);
    expect((await book.query('{ fiscalCalendar { closedThrough } }'))['fiscalCalendar']).toBeNull();
  });

  it.each(['eur', 'EURO', 'ZZZ', '', 7])('rejects %j as a functional currency (ledger L-5)', async (currency) => {
    const refused = await initialize(await emptyBooks(), currency);
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('functional_currency')]);
  });
});

describe('trialBalance', () => {
  it('fails a check that names the currencies of the lines that it leaves out (ledger L-5a)', async () => {
    const book = await openBooks(user);
    await record(book, 'USD', 10_000);
    await record(book, 'EUR', 7_000);
    await record(book, 'EUR', 500);
    await record(book, 'GBP', 1);
    await record(book, 'CHF', 1, 'draft');
    const { trialBalance, march } = await book.query(`{
      trialBalance { totalDebits validation { passed status checks failures warnings } }
      march: trialBalance(startDate: "2026-03-06", endDate: "2026-03-31") { totalDebits validation { passed failures } } }`);
    expect(trialBalance).toEqual({
      totalDebits: 100,
      validation: {
        passed: false,
        status: 'failed',
        checks: ['foreign_currency_lines'],
        failures: ['foreign_currency_lines: 6 posted lines are not in USD and left out: EUR 4, GBP 2'],
        warnings: [],
      },
    });
    expect(march).toEqual({ totalDebits: 0, validation: { passed: true, failures: [] } });
  });
});

describe('mappedTrialBalance', () => {
  it('fails the same check as trialBalance (ledger L-5a)', async () => {
    const book = await openBooks(user);
    await record(book, 'USD', 10_000);
    await record(book, 'EUR', 7_000);
    const { mappings } = await book.query('{ mappings { structures { id } } }');
    const { mappedTrialBalance } = await book.query(
      `{ mappedTrialBalance(mappingId: "${mappings.structures[0].id}") { rows { netBalance } validation { status failures } } }`,
    );
    expect(mappedTrialBalance.rows.map((row: Loose) => Math.abs(row.netBalance))).toEqual([100, 100]);
    expect(mappedTrialBalance.validation).toEqual({
      status: 'failed',
      failures: ['foreign_currency_lines: 2 posted lines are not in USD and left out: EUR 2'],
    });
  });
});

describe('balance checks of the domain API', () => {
  it('fails a balance check only where foreign-currency lines were left out of the account (ledger L-5a, L-217)', async () => {
    const book = await openBooks(user);
    await record(book, 'USD', 10_000);
    await record(book, 'EUR', 7_000);
    const assertBalance = (code: string, date: string, amount: bigint) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        service.service.services.resolve(periodBalances).assertBalance(tx, { accountId: book.id(code), date, amount }),
      );
    await expect(assertBalance('1000', '2026-03-31', 10_000n)).rejects.toMatchObject({
      code: 'BALANCE_DIFFERS',
      message: expect.stringContaining('1 posted line is not in USD and left out: EUR 1'),
    });
    await assertBalance('1000', '2026-03-04', 0n);
    await assertBalance('1100', '2026-03-31', 0n);
    const payload = { name: 'Cash', bs_source_qname: 'coa:1000', validation_mode: 'warn_only' };
    const { id } = await done(book, 'create-information-block', { block_type: 'rollforward', payload });
    const evaluated = await service.store.transaction({ graphId: book.graph }, (tx) =>
      service.service.services
        .resolve(rollforwards)
        .evaluate(tx, { structureId: id, periodStart: '2026-03-01', periodEnd: '2026-03-31' }),
    );
    expect(evaluated.diagnostic).toContain('foreign_currency_lines: 1 posted line is not in USD and left out: EUR 1');
  });
});
