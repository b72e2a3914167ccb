import { sql } from 'kysely';
import { defineJob } from '../../define/job.ts';
import { removeExpiredRows } from '../../jobs/expired-rows.ts';

/** Removes revocations of sessions that have expired since, and expired mailed links (platform ). */
export default defineJob({
  name: 'remove-expired-sessions',
  summary: 'Removes revocations of expired sessions, and expired mailed links.',
  everySeconds: 3600,
  maxSeconds: 300,
  async handle({ ctx }) {
    const isOver = sql`expires_at <= ${ctx.now()}`;
    await removeExpiredRows(ctx, 'kernel_revoked_session', isOver);
    await removeExpiredRows(ctx, 'kernel_user_token', isOver);
  },
});
