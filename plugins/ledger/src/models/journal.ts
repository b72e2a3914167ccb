import { calendarDate, model, nullable } from '@pacioli/core';
import type { Account } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import type { EntryRow, LineRow, TransactionRow } from '../journal/index.ts';
import { majorUnits } from '../values/index.ts';

const text = () => nullable(Type.String());

export const transactionFields = {
  id: Type.String(),
  number: text(),
  type: Type.String(),
  category: text(),
  amount: Type.Number(),
  currency: Type.String(),
  date: calendarDate(),
  due_date: nullable(calendarDate()),
  merchant_name: text(),
  reference_number: text(),
  description: text(),
  source: Type.String(),
};

export const LedgerLineItem = model('LedgerLineItem', {
  id: Type.String(),
  account_id: Type.String(),
  account_name: text(),
  account_code: text(),
  debit_amount: Type.Number(),
  credit_amount: Type.Number(),
  description: text(),
  line_order: Type.Integer(),
});

/** Amounts in major units (ledger L-4). */
export function transactionView(row: TransactionRow) {
  const { source_id: _sourceId, posted_at: _postedAt, ...fields } = row;
  return { ...fields, amount: majorUnits(BigInt(row.amount), row.currency) };
}

function lineView(row: LineRow, accounts: ReadonlyMap<string, Account>, currency: string) {
  const account = accounts.get(row.element_id);
  return {
    id: row.id,
    account_id: row.element_id,
    account_name: account?.name ?? null,
    account_code: account?.code ?? null,
    debit_amount: majorUnits(BigInt(row.debit_amount), currency),
    credit_amount: majorUnits(BigInt(row.credit_amount), currency),
    description: row.description,
    line_order: row.line_order,
  };
}

export function entryView(row: EntryRow, lines: readonly LineRow[], accounts: ReadonlyMap<string, Account>) {
  return {
    id: row.id,
    number: row.number,
    type: row.type,
    posting_date: row.posting_date,
    memo: row.memo,
    status: row.status,
    posted_at: row.posted_at?.toISOString() ?? null,
    line_items: lines.map((line) => lineView(line, accounts, row.currency)),
  };
}
