import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { countEntries, countLines, liveConnections } from '../close/index.ts';
import { accountingConnections } from '../close-tokens.ts';
import { journalReads, liveSources } from '../composition/internal-tokens.ts';

export default defineQuery({
  name: 'summary',
  summary: 'The counts and date range of the books, and their last sync.',
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
  services: { journalReads, chartOfAccounts, liveSources, connections: accountingConnections },
  async resolve({ ctx, use }) {
    const { earliest, latest } = await use.journalReads.dates(ctx.tx);
    const live = new Set((await use.liveSources.live(ctx.tx)).map(({ connectionId }) => connectionId));
    const synced = (await liveConnections(ctx.tx, use.connections)).flatMap(({ lastSyncAt }) => lastSyncAt ?? []);
    synced.sort((left, right) => right.getTime() - left.getTime());
    return {
      graph_id: ctx.graph.id,
      earliest_transaction_date: earliest,
      latest_transaction_date: latest,
      connection_count: live.size,
      last_sync_at: synced[0]?.toISOString() ?? null,
      account_count: () => use.chartOfAccounts.count(ctx.tx),
      transaction_count: () => use.journalReads.countTransactions(ctx.tx),
      entry_count: () => countEntries(ctx.tx),
      line_item_count: () => countLines(ctx.tx),
    };
  },
});
