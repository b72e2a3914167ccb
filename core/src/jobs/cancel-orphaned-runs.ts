import { sql } from 'kysely';
import { defineJob } from '../define/job.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { cancelRun } from './operations.ts';

const maxRunsPerTurn = 500;

/** The grace period for the run that deactivates an account or deletes a graph. */
const graceSeconds = 60;

/**
 * Cancels runs of deactivated accounts and deleted graphs, whichever plugin did it (platform L-21). Their records
 * remain for the usual retention.
 */
export default defineJob({
  name: 'cancel-orphaned-runs',
  summary: 'Cancels runs whose user or graph is gone.',
  everySeconds: 60,
  maxSeconds: 60,
  async handle({ ctx }) {
    const now = ctx.now();
    const before = new Date(now.getTime() - graceSeconds * 1000);
    await ctx.store.transaction('kernel', async (tx) => {
      const orphans = await tx.query(sql<Pick<KernelOperation, 'id'> & { readonly reason: string }>`
        SELECT r.id, CASE WHEN u.is_active IS FALSE THEN 'user_deactivated' ELSE 'graph_deleted' END AS reason
        FROM kernel_operation r
        LEFT JOIN kernel_user u ON u.id = r.user_id
        LEFT JOIN kernel_graph g ON g.graph_id = r.graph_id
        LEFT JOIN kernel_graph p ON p.graph_id = g.parent_id
        WHERE r.finished_at IS NULL AND (
          (NOT u.is_active AND u.updated_at <= ${before})
          OR (g.status IN ('deleted', 'deprovisioned') AND g.updated_at <= ${before})
          OR (p.status IN ('deleted', 'deprovisioned') AND p.updated_at <= ${before}))
        ORDER BY r.id LIMIT ${maxRunsPerTurn} FOR UPDATE OF r SKIP LOCKED`);
      for (const run of orphans) await cancelRun(tx, run.id, run.reason, now);
    });
  },
});
