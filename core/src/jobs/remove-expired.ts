import { type RawBuilder, sql } from 'kysely';
import { auditChains } from '../audit/audit-tables.ts';
import { defineJob } from '../define/job.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { inBatches, maxRowsPerTurn, removeExpiredRows } from './expired-rows.ts';
import { cancelRun } from './operations.ts';
import { shortLivedRuns } from './short-lived-runs.ts';

/** Settled calls are kept longer than any run can be restarted (platform C-11, L-20). */
const settledReservationDays = 30;

/** Removes expired runs, idempotency keys and audit rows, and cancels unanswered runs (platform L-20, P-30). */
export default defineJob({
  name: 'remove-expired',
  summary: 'Removes expired rows and cancels runs whose question was not answered.',
  everySeconds: 3600,
  maxSeconds: 300,
  services: { settings: kernelSettings, shortLived: shortLivedRuns },
  async handle({ ctx, use }) {
    const now = ctx.now();
    const operationDays = use.settings.operations.retentionDays;
    const auditDays = use.settings.audit.retentionDays;
    const before = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
    await ctx.store.transaction('kernel', async (tx) => {
      const waiting = await tx.query(sql<Pick<KernelOperation, 'id'>>`
        SELECT id FROM kernel_operation WHERE status = 'awaiting_input' AND (input_request ->> 'expires_at')::timestamptz <= ${now}
        LIMIT ${maxRowsPerTurn}`);
      for (const run of waiting) await cancelRun(tx, run.id, 'input_timeout', now);
    });
    const expired: readonly [table: string, condition: RawBuilder<unknown>][] = [
      ['kernel_file_transfer', sql`expires_at <= ${now}`],
      ['kernel_idempotency', sql`expires_at <= ${now}`],
      ['kernel_short_lived', sql`expires_at <= ${now}`],
      ['kernel_stream_slot', sql`expires_at <= ${now}`],
      ['kernel_rate_slot', sql`expires_at <= ${now}`],
      ['kernel_operation', sql`finished_at <= ${before(operationDays)}`],
      ...use.shortLived.map(({ name, keptSeconds }): [string, RawBuilder<unknown>] => {
        const since = new Date(now.getTime() - keptSeconds * 1_000);
        return ['kernel_operation', sql`name = ${name} AND finished_at <= ${since}`];
      }),
      ['kernel_credit_reservation', sql`state <> 'open' AND expires_at <= ${before(settledReservationDays)}`],
      ['kernel_usage_event', sql`at <= ${before(use.settings.usage.retentionDays)}`],
    ];
    for (const [table, condition] of expired) await removeExpiredRows(ctx, table, condition);
    for (const chain of Object.values(auditChains))
      await inBatches(ctx, (tx) => chain.expire(tx, before(auditDays), maxRowsPerTurn));
  },
});
