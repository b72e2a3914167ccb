import { sql } from 'kysely';
import { defineJob } from '../../define/job.ts';
import { removeExpiredRows } from '../../jobs/expired-rows.ts';

/** Removes entries of sessions that would have expired by themselves, and mailed links (platform ). */
export default defineJob({
  name: 'remove-expired-sessions',
  summary: 'Removes expired entries of revoked sessions, and mailed links.',
  everySeconds: 3600,
  maxSeconds: 300,
  async handle({ ctx }) {
    const isOver = sql`expires_at <= ${ctx.now()}`;
    await removeExpiredRows(ctx, 'kernel_revoked_session', isOver);
    await removeExpiredRows(ctx, 'kernel_user_token', isOver);
  },
});
