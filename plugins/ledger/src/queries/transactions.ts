import { defineQuery, model, nullable } from '@pacioli/core';
import { paginationInfo } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books } from '../books.ts';
import { dateRange, rangeOf } from '../models/dates.ts';
import { transactionFields, transactionView } from '../models/journal.ts';
import { bookPageOf, defaultBookRows, paginationOf } from '../values/index.ts';

const LedgerTransactionSummary = model('LedgerTransactionSummary', { ...transactionFields, status: Type.String() });

const LedgerTransactionList = model('LedgerTransactionList', {
  transactions: Type.Array(LedgerTransactionSummary),
  pagination: paginationInfo,
});

export default defineQuery({
  name: 'transactions',
  summary: 'Business transactions, newest first.',
  args: model('TransactionsArgs', {
    type: Type.Optional(Type.String()),
    ...dateRange,
    limit: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
  }),
  returns: nullable(LedgerTransactionList),
  services: { books },
  cost: { points: 10, defaultRows: defaultBookRows },
  async resolve({ args, ctx, use }) {
    const page = bookPageOf(args, defaultBookRows);
    const filter = { type: args.type, ...rangeOf(args) };
    const list = await use.books.journal.transactions(ctx.tx, filter, page);
    return { transactions: list.rows.map(transactionView), pagination: paginationOf(page, list) };
  },
});
