import { defineQuery, model, nullable } from '@pacioli/core';
import { type Account as ChartAccount, chartOfAccounts, paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { balances } from '../tokens.ts';
import { bookPageOf, defaultBookRows, paginationOf } from '../values/index.ts';

const text = () => nullable(Type.String());

const Account = model('Account', {
  id: Type.String(),
  code: text(),
  name: Type.String(),
  description: text(),
  trait: text(),
  sub_classification: text(),
  balance_type: Type.String(),
  parent_id: text(),
  depth: Type.Integer(),
  currency: Type.String(),
  is_active: Type.Boolean(),
  is_placeholder: Type.Boolean(),
  account_type: text(),
  external_id: text(),
  external_source: text(),
});

const AccountList = model('AccountList', { accounts: Type.Array(Account), pagination: paginationInfo });

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
      pagination: paginationOf(page, {
        hasMore: page.offset + accounts.length < total,
        count: () => Promise.resolve(total),
      }),
    };
  },
});

/** An account in its wire form; without its own currency it is kept in the functional currency. */
function accountView(account: ChartAccount, currency: string) {
  return {
    id: account.id,
    code: account.code,
    name: account.name,
    description: account.description,
    trait: account.trait,
    sub_classification: account.subClassification,
    balance_type: account.balanceType,
    parent_id: account.parentId,
    depth: account.depth,
    currency: account.currency ?? currency,
    is_active: account.isActive,
    is_placeholder: account.isPlaceholder,
    account_type: account.subClassification,
    external_id: account.externalId,
    external_source: account.externalSource,
  };
}
