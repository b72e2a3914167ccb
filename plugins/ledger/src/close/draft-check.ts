import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts } from '@pacioli/taxonomy';
import type { FiscalMonth } from './close-facts.ts';
import type { EntryProblems, MonthEntries } from './month-entries.ts';

/** Validates again what a close would post, because it may have changed since it was drafted (ledger L-157, L-164). */
export class DraftCheck {
  readonly #entries: MonthEntries;
  readonly #chart: ChartOfAccounts;

  constructor(entries: MonthEntries, chart: ChartOfAccounts) {
    this.#entries = entries;
    this.#chart = chart;
  }

  /**
   * Rejects a month whose entries do not balance, or whose drafts cannot be posted. Returns the accounts of the drafts
   * that may not fall below zero (ledger L-213).
   */
  async require(tx: Transaction, month: FiscalMonth): Promise<readonly Account[]> {
    const problems = await this.#entries.problems(tx, month);
    const broken = brokenBalance(problems);
    if (broken !== undefined) throw invalidInput(broken, { entry_ids: problems.unbalanced });
    if (problems.short.length > 0) {
      throw invalidInput(
        `These drafts have fewer than 2 line items: ${problems.short.join(', ')}. Complete them with update-journal-entry before closing.`,
        { entry_ids: problems.short },
      );
    }
    return this.#requireAccounts(tx, month);
  }

  /** Rejects drafts that must first be sent to a provider: entries posted here must be booked there (ledger L-171). */
  async requireSent(tx: Transaction, month: FiscalMonth): Promise<void> {
    const unsent = await this.#entries.unsent(tx, month);
    if (unsent.length === 0) return;
    const message = `Cannot close period '${month.period}': drafts are not in the connected accounting system yet. Publish their events with execute-event-block, then close again.`;
    const failedEvents = unsent.map((draft) => ({ ...draft, qb_error: { code: 'not_sent' } }));
    throw new ServiceError('invalid_input', 'WRITE_BACK_FAILED', message, {
      details: { message, failed_events: failedEvents, code: 'WRITE_BACK_FAILED' },
    });
  }

  async #requireAccounts(tx: Transaction, month: FiscalMonth): Promise<readonly Account[]> {
    const used = await this.#entries.accountsOfDrafts(tx, month);
    const accounts = await this.#chart.find(tx, [...new Set(used.map(({ element_id: id }) => id))]);
    for (const { element_id: id, currency, takes_back: takesBack } of used) {
      const account = accounts.get(id);
      const label = account === undefined ? `Element ${id}` : `Account ${account.code ?? id} ${account.name}`;
      const problem =
        account === undefined
          ? 'no longer exists'
          : account.isAbstract || account.isPlaceholder
            ? 'is a header and cannot be posted to'
            : // Entries posted before an account was retired can still be reversed.
              !account.isActive && !takesBack
              ? 'is retired and cannot be posted to'
              : account.currency !== null && account.currency !== currency
                ? `is kept in ${account.currency}; entries are in ${currency}`
                : undefined;
      if (problem === undefined) continue;
      const offenders = await this.#entries.draftsOn(tx, month, { ids: [id], withReversals: takesBack });
      throw invalidInput(
        `${label} ${problem}. Drafts on it: ${offenders.join(', ')}. Change or delete them before closing.`,
        { entry_ids: offenders, element_ids: [id] },
      );
    }
    return [...accounts.values()].filter(({ isNeverNegative }) => isNeverNegative);
  }
}

/** Names the currencies whose totals differ, and the entries that cause it (ledger L-157). */
function brokenBalance({ totals, unbalanced }: EntryProblems): string | undefined {
  if (totals.length === 0 && unbalanced.length === 0) return undefined;
  const sums = totals.map(({ currency, debit, credit }) => {
    const difference = debit > credit ? debit - credit : credit - debit;
    return `total debits=${debit} total credits=${credit} ${currency} Difference=${difference}`;
  });
  const entries = unbalanced.length === 0 ? [] : [`entries that do not balance: ${unbalanced.join(', ')}`];
  return `Balance sheet equation broken for this period: ${[...sums, ...entries].join('; ')}. Review the ledger before closing.`;
}
