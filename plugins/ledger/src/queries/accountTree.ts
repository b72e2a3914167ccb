import { defineQuery, model, nullable } from '@pacioli/core';
import { type Account as ChartAccount, chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { accountTree, type TreeNode } from '../accounts/index.ts';

const text = () => nullable(Type.String());

/** A node of the tree. The model is recursive, so the type of its children is referenced by name. */
const AccountTreeNode = model('AccountTreeNode', {
  id: Type.Unsafe<string>({ type: 'string', graphql: { type: 'ID' } }),
  code: text(),
  name: Type.String(),
  trait: text(),
  account_type: text(),
  balance_type: Type.String(),
  depth: Type.Integer(),
  is_active: Type.Boolean(),
  children: Type.Unsafe<unknown>({ graphql: { type: '[AccountTreeNode!]' } }),
});

const AccountTree = model('AccountTree', { roots: Type.Array(AccountTreeNode), total_accounts: Type.Integer() });

interface AccountTreeView {
  id: string;
  code: string | null;
  name: string;
  trait: string | null;
  account_type: string | null;
  balance_type: string;
  depth: number;
  is_active: boolean;
  children: AccountTreeView[];
}

export default defineQuery({
  name: 'accountTree',
  summary: 'The chart of accounts as a tree.',
  args: model('AccountTreeArgs', { include_inactive: Type.Optional(Type.Boolean()) }),
  returns: nullable(AccountTree),
  mcp: { tool: 'get-account-tree', hint: 'Reads the chart of accounts as a tree.' },
  services: { chartOfAccounts },
  cost: { points: 60 },
  async resolve({ args, ctx, use }) {
    const accounts = await use.chartOfAccounts.all(ctx.tx, { includeInactive: args.include_inactive ?? false });
    return { roots: accountTree(accounts).map(treeView), total_accounts: accounts.length };
  },
});

function treeView(node: TreeNode<ChartAccount>): AccountTreeView {
  const { account } = node;
  return {
    id: account.id,
    code: account.code,
    name: account.name,
    trait: account.trait,
    account_type: account.subClassification,
    balance_type: account.balanceType,
    depth: node.depth,
    is_active: account.isActive,
    children: node.children.map(treeView),
  };
}
