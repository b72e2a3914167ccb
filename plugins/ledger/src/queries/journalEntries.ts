import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { type Account, chartOfAccounts, paginationInfo, structureParts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books } from '../books.ts';
import type { EntryRow, LineRow } from '../journal/index.ts';
import { dateRange, rangeOf } from '../models/dates.ts';
import { entryView, LedgerLineItem } from '../models/journal.ts';
import { bookPageOf, defaultBookRows, majorUnits, paginationOf } from '../values/index.ts';

const text = () => nullable(Type.String());

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

const LedgerJournalEntryList = model('LedgerJournalEntryList', {
  entries: Type.Array(LedgerJournalEntry),
  pagination: paginationInfo,
});

export default defineQuery({
  name: 'journalEntries',
  summary: 'Journal entries with their lines, newest first.',
  args: model('JournalEntriesArgs', {
    ...dateRange,
    status: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    provenance: Type.Optional(Type.String()),
    transaction_id: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
  }),
  returns: nullable(LedgerJournalEntryList),
  services: { books, chartOfAccounts, structureParts },
  cost: { points: 15, defaultRows: defaultBookRows },
  async resolve({ args, ctx, use }) {
    const page = bookPageOf(args, defaultBookRows);
    const filter = {
      ...rangeOf(args),
      status: args.status,
      type: args.type,
      provenance: args.provenance,
      transactionId: args.transaction_id,
    };
    const list = await use.books.journal.entries(ctx.tx, filter, page);
    const { rows } = list;
    const lines = await use.books.journal.linesOf(
      ctx.tx,
      rows.map((entry) => entry.id),
    );
    const accounts = await use.chartOfAccounts.find(ctx.tx, [
      ...new Set([...lines.values()].flat().map((line) => line.element_id)),
    ]);
    const structureIds = new Set(rows.flatMap((entry) => entry.source_structure_id ?? []));
    const structures = await use.structureParts.find(ctx.tx, [...structureIds]);
    return {
      entries: rows.map((row) => journalEntryView(row, lines.get(row.id) ?? [], accounts, structures)),
      pagination: paginationOf(page, list),
    };
  },
});

function journalEntryView(
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
