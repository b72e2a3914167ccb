import { defineJob } from '../define/job.ts';
import mailQueued from '../events/mail-queued.ts';
import { mailQueue } from '../mail/mail-queue.ts';

export default defineJob({
  name: 'send-mail',
  summary: 'Hands queued messages to the mail port, again and again until it takes them.',
  on: mailQueued,
  maxSeconds: 60,
  services: { mailQueue },
  async handle({ payload, ctx, use }) {
    await use.mailQueue.deliver(payload.sealed, ctx.signal);
  },
});
