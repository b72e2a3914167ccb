// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import authorizeApp from './routes/authorize-app.ts';
import decideAuthorizationRequest from './routes/decide-authorization-request.ts';
import getAuthorizationRequest from './routes/get-authorization-request.ts';
import getAuthorizationServerMetadata from './routes/get-authorization-server-metadata.ts';
import getGraphResourceMetadata from './routes/get-graph-resource-metadata.ts';
import getMcpProfileResourceMetadata from './routes/get-mcp-profile-resource-metadata.ts';
import getMcpResourceMetadata from './routes/get-mcp-resource-metadata.ts';
import getProtectedResourceMetadata from './routes/get-protected-resource-metadata.ts';
import issueAppToken from './routes/issue-app-token.ts';
import registerApp from './routes/register-app.ts';
import revokeAppToken from './routes/revoke-app-token.ts';
import removeExpiredAuthorizations from './jobs/remove-expired-authorizations.ts';
import deactivateOauthClient from './commands/deactivate-oauth-client.ts';

export const all = {
  routes: [authorizeApp, decideAuthorizationRequest, getAuthorizationRequest, getAuthorizationServerMetadata, getGraphResourceMetadata, getMcpProfileResourceMetadata, getMcpResourceMetadata, getProtectedResourceMetadata, issueAppToken, registerApp, revokeAppToken],
  jobs: [removeExpiredAuthorizations],
  commands: [deactivateOauthClient],
} as const satisfies PluginParts;
