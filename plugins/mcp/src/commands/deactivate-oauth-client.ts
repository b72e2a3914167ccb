import { defineCommand, model, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { authorizationServer } from '../authorization/index.ts';

export default defineCommand({
  name: 'deactivate-oauth-client',
  summary: 'Deactivates an AI client: its tokens end at once, and it cannot be connected again.',
  options: model('DeactivateOauthClientOptions', {
    client: Type.String({ description: 'the client id: that of its registration, or the address of its document' }),
  }),
  positional: ['client'],
  services: { server: authorizationServer },
  async run({ options, ctx, use }) {
    if (!(await use.server.clients.deactivate(options.client))) {
      throw new ServiceError(
        'not_found',
        'NOT_FOUND',
        `There is no client ${options.client}. Use the id of its registration or the address of its document.`,
      );
    }
    ctx.print(`Deactivated ${options.client}.`);
    return undefined;
  },
});
