import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { journalReads } from '../internal-tokens.ts';

export default defineQuery({
  name: 'summary',
  summary: 'How much there is in the books.',
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
  needs: { journalReads, chartOfAccounts },
  async resolve({ ctx, use }) {
    const counts = await use.journalReads.counts(ctx.tx);
    return {
      graph_id: ctx.graph.id,
      account_count: await use.chartOfAccounts.count(ctx.tx),
      transaction_count: counts.transactions,
      entry_count: counts.entries,
      line_item_count: counts.lines,
      earliest_transaction_date: counts.earliest,
      latest_transaction_date: counts.latest,
      connection_count: 0,
      last_sync_at: null,
    };
  },
});
