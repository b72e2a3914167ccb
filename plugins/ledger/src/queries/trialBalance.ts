import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { dateRange, rangeOf } from '../models/dates.ts';
import { ValidationCheck, validationOf } from '../models/ValidationCheck.ts';
import { periodBalances } from '../tokens.ts';
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
  mcp: { tool: 'get-trial-balance', hint: 'Reads the balances of all accounts.' },
  services: { periodBalances },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const { currency, rows, total, foreign } = await use.periodBalances.trialBalance(ctx.tx, rangeOf(args));
    return {
      rows: rows.map(({ account, debit, credit }) => ({
        account_id: account.id,
        account_code: account.code ?? '',
        account_name: account.name,
        trait: account.trait,
        account_type: account.subClassification,
        total_debits: majorUnits(debit, currency),
        total_credits: majorUnits(credit, currency),
        net_balance: majorUnits(debit - credit, currency),
      })),
      total_debits: majorUnits(total.debit, currency),
      total_credits: majorUnits(total.credit, currency),
      validation: validationOf(foreign, currency),
    };
  },
});
