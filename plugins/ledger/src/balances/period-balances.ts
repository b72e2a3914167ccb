import { invalidInput, notFound, ServiceError, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts, Mappings } from '@pacioli/taxonomy';
import { retainedCode } from '../accounts/index.ts';
import { type DateRange, isCalendarDate, plusDays } from '../values/index.ts';
import {
  type AccountBalance,
  type Balances,
  type ExpectedBalance,
  type FiscalYearStart,
  foreignLinesFinding,
  type PeriodBalances,
  type TrialBalance,
} from './balances.ts';
import { type FullBalance, fiscalYearStartOf, fullBalances } from './full-balance.ts';
import { recordedSums } from './recorded-sums.ts';

/** The concept that marks an account as retained earnings. */
const retainedConcept = 'rs-gaap:RetainedEarningsAccumulatedDeficit';
const temporaryTraits: ReadonlySet<string> = new Set(['revenue', 'contraRevenue', 'expense', 'contraExpense']);

export interface StoredPeriodBalancesParts {
  readonly balances: Balances;
  readonly yearStart: FiscalYearStart;
  readonly chart: ChartOfAccounts;
  readonly mappings: Mappings;
}

/** Balances as of a day and over a range, from posted lines (ledger L-41). */
export class PostedPeriodBalances implements PeriodBalances {
  readonly #parts: StoredPeriodBalancesParts;

  constructor(parts: StoredPeriodBalancesParts) {
    this.#parts = parts;
  }

  async asOf(tx: Transaction, date: string, recordedBy?: Date): Promise<readonly AccountBalance[]> {
    requireDate('date', date);
    if (recordedBy !== undefined) {
      const currency = await this.#parts.balances.currency(tx);
      return recordedSums(tx, { date, recordedBy, currency });
    }
    const [sums = []] = await this.#parts.balances.sums(tx, [{ start: null, end: date }]);
    return sums.map(({ accountId, debit, credit }) => ({ accountId, balance: debit - credit }));
  }

  async assertBalance(tx: Transaction, { accountId, date, amount }: ExpectedBalance): Promise<void> {
    const account = (await this.#parts.chart.find(tx, [accountId])).get(accountId);
    if (account === undefined) throw notFound(`Account not found: ${accountId}`);
    requireDate('date', date);
    const range = { start: null, end: date };
    const { columns, currency } = await this.#parts.balances.inRanges(tx, [range], [accountId]);
    const {
      sums: [sum],
      foreign,
    } = columns[0] ?? { sums: [], foreign: [] };
    const found = (sum?.debit ?? 0n) - (sum?.credit ?? 0n);
    const label = `Account ${account.code ?? account.id} ${account.name}`;
    // A check must not pass silently while it leaves out lines in other currencies (ledger L-5a).
    const finding = foreignLinesFinding(foreign, currency);
    if (finding !== undefined)
      throw new ServiceError(
        'invalid_input',
        'BALANCE_DIFFERS',
        `${label}: ${finding}. Compare each currency separately.`,
        {
          details: {
            expected: amount.toString(),
            found: found.toString(),
            foreign_currency_lines: foreign.map((each) => ({ ...each })),
          },
        },
      );
    if (found === amount) return;
    throw new ServiceError(
      'invalid_input',
      'BALANCE_DIFFERS',
      `${label} has a balance of ${found} minor units at the end of ${date}, not ${amount}. Look for missing or duplicate entries in journalEntries.`,
      { details: { expected: amount.toString(), found: found.toString(), difference: (found - amount).toString() } },
    );
  }

  async between(tx: Transaction, from: string, to: string): Promise<readonly FullBalance[]> {
    requireDate('from', from);
    requireDate('to', to);
    if (to < from) throw invalidInput(`to: ${to} is before from, ${from}.`);
    const { balances, chart, yearStart } = this.#parts;
    const accounts = await chart.all(tx, { includeInactive: true });
    const yearFrom = fiscalYearStartOf(from, await yearStart.month(tx));
    const dayBefore = plusDays(from, -1);
    const [before = [], yearToDate = [], within = []] = await balances.sums(tx, [
      { start: null, end: dayBefore },
      { start: yearFrom, end: dayBefore },
      { start: from, end: to },
    ]);
    const temporary = new Set(accounts.filter(({ trait }) => temporaryTraits.has(trait ?? '')).map(({ id }) => id));
    return fullBalances({
      before,
      yearToDate,
      within,
      isTemporary: (id) => temporary.has(id),
      retainedId: await this.#retained(tx, accounts),
    });
  }

  async trialBalance(tx: Transaction, range: DateRange): Promise<TrialBalance> {
    const { balances, chart } = this.#parts;
    const { currency, columns } = await balances.inRanges(tx, [range]);
    const { sums, foreign } = columns[0] ?? { sums: [], foreign: [] };
    const bySum = new Map(sums.map((sum) => [sum.accountId, sum]));
    const rows = (await chart.all(tx, { includeInactive: true })).flatMap((account) => {
      const sum = bySum.get(account.id);
      return sum === undefined ? [] : [{ account, debit: sum.debit, credit: sum.credit }];
    });
    if (rows.length !== sums.length)
      throw new Error('There are line items on elements that are not accounts of this graph.');
    const total = rows.reduce((sum, row) => ({ debit: sum.debit + row.debit, credit: sum.credit + row.credit }), {
      debit: 0n,
      credit: 0n,
    });
    // Every posted entry balances, so their totals must balance too (ledger L-197).
    if (total.debit !== total.credit)
      throw new Error(`The books do not balance: debits ${total.debit}, credits ${total.credit}.`);
    return { currency, rows, total, foreign };
  }

  /** The account that is mapped to retained earnings, else the one that the templates use. */
  async #retained(tx: Transaction, accounts: readonly Account[]): Promise<string | null> {
    const mappingId = await this.#parts.mappings.bookMappingId(tx);
    const mapping = mappingId === undefined ? undefined : await this.#parts.mappings.concepts(tx, mappingId);
    const mapped = new Set(
      mapping?.arcs.filter(({ concept }) => concept.qname === retainedConcept).map(({ accountId }) => accountId),
    );
    const equity = accounts.filter(({ trait, isPlaceholder }) => trait === 'equity' && !isPlaceholder);
    return (equity.find(({ id }) => mapped.has(id)) ?? equity.find(({ code }) => code === retainedCode))?.id ?? null;
  }
}

function requireDate(field: string, date: string): void {
  if (!isCalendarDate(date)) throw invalidInput(`${field}: '${date}' is not a calendar date (YYYY-MM-DD).`);
}
