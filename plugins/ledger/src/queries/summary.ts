import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { books, bookWrites } from '../books.ts';
import { countEntries, countLines, liveConnections } from '../close/index.ts';
import { accountingConnections } from '../tokens.ts';

export default defineQuery({
  name: 'summary',
  summary: 'The numbers of rows and the date range of the books, and the time of the last sync.',
  returns: nullable(
    model('LedgerSummary', {
      graph_id: Type.String(),
      account_count: Type.Integer(),
      transaction_count: Type.Integer(),
      entry_count: Type.Integer(),
      line_item_count: Type.Integer(),
      earliest_transaction_date: nullable(calendarDate()),
      latest_transaction_date: nullable(calendarDate()),
      connection_count: Type.Integer(),
      last_sync_at: nullable(instant()),
    }),
  ),
  services: { books, chartOfAccounts, bookWrites, connections: accountingConnections },
  async resolve({ ctx, use }) {
    const { earliest, latest } = await use.books.journal.dates(ctx.tx);
    const live = new Set((await use.bookWrites.sources.live(ctx.tx)).map(({ connectionId }) => connectionId));
    const synced = (await liveConnections(ctx.tx, use.connections)).flatMap(({ lastSyncAt }) => lastSyncAt ?? []);
    synced.sort((left, right) => right.getTime() - left.getTime());
    return {
      graph_id: ctx.graph.id,
      earliest_transaction_date: earliest,
      latest_transaction_date: latest,
      connection_count: live.size,
      last_sync_at: synced[0]?.toISOString() ?? null,
      account_count: () => use.chartOfAccounts.count(ctx.tx),
      transaction_count: () => use.books.journal.countTransactions(ctx.tx),
      entry_count: () => countEntries(ctx.tx),
      line_item_count: () => countLines(ctx.tx),
    };
  },
});
