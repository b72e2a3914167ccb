import { defineQuery, model, nullable } from '@pacioli/core';
import { chartOfAccounts, structureParts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { journalReads } from '../composition/internal-tokens.ts';
import { dateRange, rangeOf } from '../models/dates.ts';
import { journalEntryView, LedgerJournalEntryList } from '../models/journal.ts';
import { bookPageOf, defaultBookRows, paginationOf } from '../values/index.ts';

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
  services: { journalReads, chartOfAccounts, structureParts },
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
    const { rows, total } = await use.journalReads.entries(ctx.tx, filter, page);
    const lines = await use.journalReads.linesOf(
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
      pagination: paginationOf(page, total, rows.length),
    };
  },
});
