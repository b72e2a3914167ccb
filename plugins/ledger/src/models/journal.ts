import { calendarDate, instant, model, nullable } from '@pacioli/core';
import { type Account, paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import type { EntryRow, LineRow, TransactionRow } from '../journal/index.ts';
import { majorUnits } from '../values/index.ts';

const text = () => nullable(Type.String());

const transactionFields = {
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

const LedgerTransactionSummary = model('LedgerTransactionSummary', { ...transactionFields, status: Type.String() });

export const LedgerTransactionList = model('LedgerTransactionList', {
  transactions: Type.Array(LedgerTransactionSummary),
  pagination: paginationInfo,
});

const LedgerLineItem = model('LedgerLineItem', {
  id: Type.String(),
  account_id: Type.String(),
  account_name: text(),
  account_code: text(),
  debit_amount: Type.Number(),
  credit_amount: Type.Number(),
  description: text(),
  line_order: Type.Integer(),
});

const LedgerEntry = model('LedgerEntry', {
  id: Type.String(),
  number: text(),
  type: Type.String(),
  posting_date: calendarDate(),
  memo: text(),
  status: Type.String(),
  posted_at: nullable(instant()),
  line_items: Type.Array(LedgerLineItem),
});

export const LedgerTransactionDetail = model('LedgerTransactionDetail', {
  ...transactionFields,
  source_id: text(),
  status: Type.String(),
  posted_at: nullable(instant()),
  entries: Type.Array(LedgerEntry),
});

const LedgerJournalEntry = model('LedgerJournalEntry', {
  id: Type.String(),
  number: text(),
  transaction_id: text(),
  type: Type.String(),
  status: Type.String(),
  posting_date: calendarDate(),
  memo: text(),
  provenance: text(),
  source_structure_id: text(),
  source_structure_name: text(),
  triggered_by_event_id: text(),
  reversal_of: text(),
  posted_at: nullable(instant()),
  line_items: Type.Array(LedgerLineItem),
  total_debit: Type.Number(),
  total_credit: Type.Number(),
  balanced: Type.Boolean(),
});

export const LedgerJournalEntryList = model('LedgerJournalEntryList', {
  entries: Type.Array(LedgerJournalEntry),
  pagination: paginationInfo,
});

/** Amounts in major units (ledger L-4). */
export function transactionView(row: TransactionRow) {
  const { source_id: _sourceId, posted_at: _postedAt, ...fields } = row;
  return { ...fields, amount: majorUnits(BigInt(row.amount), row.currency) };
}

export function lineView(row: LineRow, accounts: ReadonlyMap<string, Account>, currency: string) {
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

export function journalEntryView(
  row: EntryRow,
  lines: readonly LineRow[],
  accounts: ReadonlyMap<string, Account>,
  structures: ReadonlyMap<string, { readonly name: string }>,
) {
  const debit = lines.reduce((sum, line) => sum + BigInt(line.debit_amount), 0n);
  const credit = lines.reduce((sum, line) => sum + BigInt(line.credit_amount), 0n);
  return {
    ...entryView(row, lines, accounts),
    transaction_id: row.transaction_id,
    provenance: row.provenance,
    source_structure_id: row.source_structure_id,
    source_structure_name: structures.get(row.source_structure_id ?? '')?.name ?? row.kept_structure_name,
    triggered_by_event_id: row.event_id,
    reversal_of: row.reversal_of,
    total_debit: majorUnits(debit, row.currency),
    total_credit: majorUnits(credit, row.currency),
    balanced: debit === credit,
  };
}
