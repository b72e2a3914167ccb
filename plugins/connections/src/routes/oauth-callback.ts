import { defineRoute, graphOf, kernel, ServiceError } from '@pacioli/core';
import oauthCallbackRequest from '../models/OAuthCallbackRequest.ts';
import oauthCallbackResponse from '../models/OAuthCallbackResponse.ts';
import { connections } from '../providers.ts';

export default defineRoute({
  name: 'oauth-callback',
  path: 'POST /v1/graphs/{graph_id}/connections/oauth/callback/{provider}',
  summary: 'Completes the authorization of a connection with the response of the provider.',
  openapi: { id: 'oauth_callback', tag: 'connections' },
  category: 'graph_write',
  auth: ['api-key', 'bearer'],
  // Only admins of the graph manage credentials of outside systems (platform P-15).
  role: 'admin',
  body: oauthCallbackRequest,
  answers: { 200: oauthCallbackResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, connections },
  errors: { PROVIDER_DISABLED: { kind: 'forbidden', meaning: 'This deployment does not offer the provider.' } },
  async handle({ params, body, ctx, use }) {
    const authorization = use.connections.registry.requireAuthorization(params.provider);
    // The user or the provider denied authorization, so there is no code to exchange (ledger L-118).
    if (typeof body.error === 'string' && body.error !== '') {
      const message = `OAuth authorization failed: ${body.error_description ?? body.error}`;
      throw new ServiceError('refused', 'INVALID_INPUT', message);
    }
    return use.store.transaction({ graphId: graphOf(ctx).id }, (tx) =>
      authorization.complete({ tx, caller: ctx.caller, request: body, now: ctx.now() }),
    );
  },
});
