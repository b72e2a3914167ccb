import { defineQuery, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { balances } from '../balance-tokens.ts';
import { AccountList, accountView } from '../models/accounts.ts';
import { bookPageOf, defaultBookRows, paginationOf } from '../values/index.ts';

export default defineQuery({
  name: 'accounts',
  summary: 'The accounts of the chart, by code.',
  args: model('AccountsArgs', {
    classification: Type.Optional(Type.String()),
    is_active: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
  }),
  returns: nullable(AccountList),
  services: { chartOfAccounts, balances },
  cost: { points: 10, defaultRows: defaultBookRows },
  async resolve({ args, ctx, use }) {
    const page = bookPageOf(args, defaultBookRows);
    const { accounts, total } = await use.chartOfAccounts.list(ctx.tx, {
      ...page,
      ...(args.classification === undefined ? {} : { trait: args.classification }),
      ...(args.is_active === undefined ? {} : { isActive: args.is_active }),
    });
    const currency = await use.balances.currency(ctx.tx);
    return {
      accounts: accounts.map((account) => accountView(account, currency)),
      pagination: paginationOf(page, total, accounts.length),
    };
  },
});
