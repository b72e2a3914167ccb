import { calendarDate, defineQuery, model, nullable } from '@pacioli/core';
import { calendar, periodBalances } from '@pacioli/ledger';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';

export const monthReport = defineQuery({
  name: 'monthReport',
  summary: 'What was spent in the month of a day, by account, the cash at its end, and whether it is closed.',
  args: model('MonthReportArgs', { day: calendarDate() }),
  returns: model('MonthReport', {
    month: Type.String(),
    is_closed: Type.Boolean(),
    closed_through: nullable(Type.String()),
    currency: Type.String(),
    cash_cents: Type.Integer(),
    spent: Type.Array(model('MonthReportRow', { code: nullable(Type.String()), cents: Type.Integer() })),
  }),
  services: { calendar, periodBalances, chartOfAccounts },
  async resolve({ args, ctx, use }) {
    const month = await use.calendar.monthOf(ctx.tx, args.day);
    const { currency, rows } = await use.periodBalances.trialBalance(ctx.tx, month);
    const cash = (await use.chartOfAccounts.findByCode(ctx.tx, ['1000'])).get('1000');
    const balances = await use.periodBalances.asOf(ctx.tx, month.end);
    return {
      month: month.period,
      is_closed: month.isClosed,
      closed_through: (await use.calendar.state(ctx.tx, ctx.now()))?.closedThrough ?? null,
      currency,
      cash_cents: Number(balances.find(({ accountId }) => accountId === cash?.id)?.balance ?? 0n),
      spent: rows
        .filter(({ account }) => account.trait === 'expense')
        .map(({ account, debit, credit }) => ({ code: account.code, cents: Number(debit - credit) })),
    };
  },
});
