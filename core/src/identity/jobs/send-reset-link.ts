import { defineJob } from '../../define/job.ts';
import { passwordReset } from '../accounts/password-reset.ts';
import passwordResetAsked from '../events/password-reset-asked.ts';

export default defineJob({
  name: 'send-reset-link',
  summary: 'Mails a password reset link after the request for it has been answered.',
  on: passwordResetAsked,
  maxSeconds: 60,
  services: { passwordReset },
  async handle({ payload, use }) {
    const { ip, user_agent: userAgent, request_id: requestId } = payload;
    await use.passwordReset.sendLink(payload.email, {
      endpoint: 'POST /v1/auth/password/forgot',
      ...(ip === null ? {} : { ip }),
      ...(userAgent === null ? {} : { userAgent }),
      ...(requestId === null ? {} : { requestId }),
    });
  },
});
