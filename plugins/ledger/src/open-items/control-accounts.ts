import type { Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import type { Side } from './settlement.ts';

/** The ids of the accounts of each side, inactive ones included. */
export async function controlAccounts(tx: Transaction, chart: ChartOfAccounts): Promise<Record<Side, string[]>> {
  const accounts = await chart.all(tx, { includeInactive: true });
  const of = (side: Side): string[] =>
    accounts.filter(({ subClassification }) => subClassification === side).map(({ id }) => id);
  return { receivable: of('receivable'), payable: of('payable') };
}
