import { defineJob } from '@pacioli/core';
import { authorizationServer } from '../authorization/index.ts';

export default defineJob({
  name: 'remove-expired-authorizations',
  summary: 'Removes expired authorization requests, codes, tokens, confirmations and unused clients.',
  everySeconds: 600,
  maxSeconds: 300,
  services: { server: authorizationServer },
  async handle({ ctx, use }) {
    await use.server.expiry.run(ctx.now(), ctx.signal);
  },
});
