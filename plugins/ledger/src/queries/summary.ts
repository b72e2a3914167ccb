import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { bookkeeping, books } from '../books.ts';
import { liveConnections } from '../close/index.ts';
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
  services: { books, chartOfAccounts, bookkeeping, connections: accountingConnections },
  async resolve({ ctx, use }) {
    const counts = await use.books.journal.counts(ctx.tx);
    const live = new Set((await use.bookkeeping.sources.live(ctx.tx)).map(({ connectionId }) => connectionId));
    const synced = (await liveConnections(ctx.tx, use.connections)).flatMap(({ lastSyncAt }) => lastSyncAt ?? []);
    synced.sort((left, right) => right.getTime() - left.getTime());
    return {
      graph_id: ctx.graph.id,
      account_count: await use.chartOfAccounts.count(ctx.tx),
      transaction_count: counts.transactions,
      entry_count: counts.entries,
      line_item_count: counts.lines,
      earliest_transaction_date: counts.earliest,
      latest_transaction_date: counts.latest,
      connection_count: live.size,
      last_sync_at: synced[0]?.toISOString() ?? null,
    };
  },
});
