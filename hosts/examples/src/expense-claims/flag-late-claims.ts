import { defineJob, sql } from '@pacioli/core';
import { periodClosed } from '@pacioli/ledger';

/** An event may be delivered twice; the second time changes nothing. */
export default defineJob({
  name: 'flag-late-claims',
  summary: 'Flags the claims of a month that were open when it was closed.',
  on: periodClosed,
  maxSeconds: 60,
  async handle({ payload, ctx }) {
    await ctx.store.transaction({ graphId: payload.graph_id }, (tx) =>
      tx.query(sql`
        UPDATE expense_claims_claim SET is_late = true
        WHERE graph_id = ${payload.graph_id} AND entry_id IS NULL AND NOT is_late
          AND to_char(day, 'YYYY-MM') = ${payload.period}`),
    );
  },
});
