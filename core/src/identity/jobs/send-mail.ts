import { defineJob } from '../../define/job.ts';
import mailQueued from '../events/mail-queued.ts';
import { mailQueue } from '../mails/mail-queue.ts';

export default defineJob({
  name: 'send-mail',
  summary: 'Delivers queued messages to the mail port, with retries until it accepts them.',
  on: mailQueued,
  maxSeconds: 60,
  services: { mailQueue },
  async handle({ payload, ctx, use }) {
    await use.mailQueue.deliver(payload.sealed, ctx.signal);
  },
});
