import { defineQuery, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { dateRange, rangeOf } from '../models/dates.ts';
import { ValidationCheck, validationOf } from '../models/ValidationCheck.ts';
import { balances } from '../tokens.ts';
import { majorUnits } from '../values/index.ts';

const TrialBalanceRow = model('TrialBalanceRow', {
  account_id: Type.String(),
  account_code: Type.String(),
  account_name: Type.String(),
  trait: nullable(Type.String()),
  account_type: nullable(Type.String()),
  total_debits: Type.Number(),
  total_credits: Type.Number(),
  net_balance: Type.Number(),
});

export default defineQuery({
  name: 'trialBalance',
  summary: 'Debits and credits of each account with activity in the given range; cumulative when no start is given.',
  args: model('TrialBalanceArgs', dateRange),
  returns: nullable(
    model('TrialBalance', {
      rows: Type.Array(TrialBalanceRow),
      total_debits: Type.Number(),
      total_credits: Type.Number(),
      validation: nullable(ValidationCheck),
    }),
  ),
  services: { balances, chartOfAccounts },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const { currency, columns } = await use.balances.inRanges(ctx.tx, [rangeOf(args)]);
    const { sums, foreign } = columns[0] ?? { sums: [], foreign: [] };
    const bySum = new Map(sums.map((sum) => [sum.accountId, sum]));
    const accounts = (await use.chartOfAccounts.all(ctx.tx, { includeInactive: true })).filter((account) =>
      bySum.has(account.id),
    );
    if (accounts.length !== sums.length)
      throw new Error('There are line items on elements that are not accounts of this graph.');
    const total = { debit: 0n, credit: 0n };
    const rows = accounts.map((account) => {
      const { debit, credit } = bySum.get(account.id) ?? { debit: 0n, credit: 0n };
      total.debit += debit;
      total.credit += credit;
      return {
        account_id: account.id,
        account_code: account.code ?? '',
        account_name: account.name,
        trait: account.trait,
        account_type: account.subClassification,
        total_debits: majorUnits(debit, currency),
        total_credits: majorUnits(credit, currency),
        net_balance: majorUnits(debit - credit, currency),
      };
    });
    // Every posted entry balances, so their totals must balance too (ledger L-197).
    if (total.debit !== total.credit)
      throw new Error(`The books do not balance: debits ${total.debit}, credits ${total.credit}.`);
    return {
      rows,
      total_debits: majorUnits(total.debit, currency),
      total_credits: majorUnits(total.credit, currency),
      validation: validationOf(foreign, currency),
    };
  },
});
