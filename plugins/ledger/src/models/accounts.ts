import { model, nullable } from '@pacioli/core';
import { type Account as ChartAccount, paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import type { TreeNode } from '../accounts/index.ts';

const text = () => nullable(Type.String());

export const Account = model('Account', {
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

export const AccountList = model('AccountList', { accounts: Type.Array(Account), pagination: paginationInfo });

/** An account in its wire form; without its own currency it is kept in the functional currency. */
export function accountView(account: ChartAccount, currency: string) {
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

/** A node of the tree. The model is recursive, so the type of its children is referenced by name. */
export const AccountTreeNode = model('AccountTreeNode', {
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

export const AccountTree = model('AccountTree', { roots: Type.Array(AccountTreeNode), total_accounts: Type.Integer() });

export interface AccountTreeView {
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

export function treeView(node: TreeNode<ChartAccount>): AccountTreeView {
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
