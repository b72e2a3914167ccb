import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { entryView, LedgerLineItem, transactionFields, transactionView } from '../models/journal.ts';

const text = () => nullable(Type.String());

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

const LedgerTransactionDetail = model('LedgerTransactionDetail', {
  ...transactionFields,
  source_id: text(),
  status: Type.String(),
  posted_at: nullable(instant()),
  entries: Type.Array(LedgerEntry),
});

const maxEntries = 1000;

export default defineQuery({
  name: 'transaction',
  summary: 'One transaction with its entries and their lines.',
  args: model('TransactionArgs', { transaction_id: Type.String() }),
  returns: nullable(LedgerTransactionDetail),
  services: { books, chartOfAccounts },
  async resolve({ args, ctx, use }) {
    const row = await use.books.journal.transaction(ctx.tx, args.transaction_id);
    if (row === undefined) return null;
    const entries = await use.books.journal.entriesOf(ctx.tx, row.id, maxEntries);
    const lines = await use.books.journal.linesOf(
      ctx.tx,
      entries.map((entry) => entry.id),
    );
    const accounts = await use.chartOfAccounts.find(ctx.tx, [
      ...new Set([...lines.values()].flat().map((line) => line.element_id)),
    ]);
    return {
      ...transactionView(row),
      source_id: row.source_id,
      posted_at: row.posted_at?.toISOString() ?? null,
      entries: entries.map((entry) => entryView(entry, lines.get(entry.id) ?? [], accounts)),
    };
  },
});
