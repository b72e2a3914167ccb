import { sql } from 'kysely';
import { defineJob } from '../define/job.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { cancelRun } from './operations.ts';

const rows_per_turn_max = 5_000;
/** Settled calls are remembered longer than any run can be started again (platform C-11, L-20). */
const settledReservation_days = 30;

/** Takes away what has reached its time: ended runs, keys, sessions, audit rows; and unanswered questions (platform L-20, P-30). */
export default defineJob({
  name: 'remove-expired',
  summary: 'Removes rows whose time is over and cancels questions that nobody answered.',
  every_seconds: 3600,
  seconds_max: 300,
  needs: { settings: kernelSettings },
  async handle({ ctx, use }) {
    const now = ctx.now();
    const operation_days = use.settings.operations.retentionDays;
    const audit_days = use.settings.audit.retentionDays;
    const before = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
    await ctx.store.transaction('kernel', async (tx) => {
      const waiting = await tx.query(sql<{ id: string }>`
        SELECT id FROM kernel_operation WHERE status = 'awaiting_input' AND (input_request ->> 'expires_at')::timestamptz <= ${now}
        LIMIT ${rows_per_turn_max}`);
      for (const run of waiting) await cancelRun(tx, run.id, 'input_timeout', now);
      await tx.query(sql`DELETE FROM kernel_idempotency WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_revoked_session WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_short_lived WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_user_token WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_stream_slot WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_short_lived WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_rate_slot WHERE expires_at <= ${now}`);
      await tx.query(sql`DELETE FROM kernel_operation WHERE id IN (SELECT id FROM kernel_operation
        WHERE finished_at <= ${before(operation_days)} ORDER BY finished_at LIMIT ${rows_per_turn_max})`);
      await tx.query(sql`DELETE FROM kernel_credit_reservation
        WHERE state <> 'open' AND expires_at <= ${before(settledReservation_days)}`);
      await tx.query(sql`DELETE FROM kernel_usage_event WHERE at <= ${before(use.settings.usage.retentionDays)}`);
      await tx.query(sql`DELETE FROM kernel_operation_audit WHERE at <= ${before(audit_days)}`);
      await tx.query(sql`DELETE FROM kernel_security_audit WHERE at <= ${before(audit_days)}`);
    });
  },
});
