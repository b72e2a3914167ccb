import { defineQuery, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { accountTree } from '../accounts/index.ts';
import { AccountTree, treeView } from '../models/accounts.ts';

export default defineQuery({
  name: 'accountTree',
  summary: 'The accounts under their parents.',
  args: model('AccountTreeArgs', { include_inactive: Type.Optional(Type.Boolean()) }),
  returns: nullable(AccountTree),
  services: { chartOfAccounts },
  cost: { points: 60 },
  async resolve({ args, ctx, use }) {
    const accounts = await use.chartOfAccounts.all(ctx.tx, { includeInactive: args.include_inactive ?? false });
    return { roots: accountTree(accounts).map(treeView), total_accounts: accounts.length };
  },
});
