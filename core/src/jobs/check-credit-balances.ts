import { sql } from 'kysely';
import { defineJob } from '../define/job.ts';
import type { KernelCreditPool } from '../rows.gen.ts';

const maxRows = 100;

/** Only one file writes balances and transactions, together; this job detects any other writer. */
export default defineJob({
  name: 'check-credit-balances',
  summary: 'Compares the balance of every changed credit pool with the sum of its transactions.',
  everySeconds: 86_400,
  maxSeconds: 300,
  async handle({ ctx }) {
    const since = new Date(ctx.now().getTime() - 2 * 86_400_000);
    const wrong = await ctx.store.transaction('kernel', (tx) =>
      tx.query<Pick<KernelCreditPool, 'id'>>(sql`
        SELECT p.id FROM kernel_credit_pool p WHERE p.updated_at >= ${since} AND p.balance_hundredths <>
          (SELECT COALESCE(sum(t.amount_hundredths), 0) FROM kernel_credit_transaction t WHERE t.pool_id = p.id)
        LIMIT ${maxRows}`),
    );
    // Balance and row are written in one transaction, so a difference is a defect of the service (platform C-5).
    if (wrong.length > 0) ctx.log.error('OPERATOR ALERT: balances differ from their transactions', { pools: wrong });
  },
});
