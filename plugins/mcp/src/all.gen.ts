// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import authorizeApp from './routes/authorize-app.ts';
import decideAuthorizationRequest from './routes/decide-authorization-request.ts';
import deleteGraphMcp from './routes/delete-graph-mcp.ts';
import deleteMcpProfile from './routes/delete-mcp-profile.ts';
import deleteMcp from './routes/delete-mcp.ts';
import getAuthorizationRequest from './routes/get-authorization-request.ts';
import getAuthorizationServerMetadata from './routes/get-authorization-server-metadata.ts';
import getGraphMcp from './routes/get-graph-mcp.ts';
import getGraphResourceMetadata from './routes/get-graph-resource-metadata.ts';
import getMcpProfileResourceMetadata from './routes/get-mcp-profile-resource-metadata.ts';
import getMcpProfile from './routes/get-mcp-profile.ts';
import getMcpResourceMetadata from './routes/get-mcp-resource-metadata.ts';
import getMcp from './routes/get-mcp.ts';
import getProtectedResourceMetadata from './routes/get-protected-resource-metadata.ts';
import issueAppToken from './routes/issue-app-token.ts';
import postGraphMcp from './routes/post-graph-mcp.ts';
import postMcpProfile from './routes/post-mcp-profile.ts';
import postMcp from './routes/post-mcp.ts';
import registerApp from './routes/register-app.ts';
import revokeAppToken from './routes/revoke-app-token.ts';
import removeExpiredAuthorizations from './jobs/remove-expired-authorizations.ts';
import deactivateOauthClient from './commands/deactivate-oauth-client.ts';

export const all = {
  routes: [authorizeApp, decideAuthorizationRequest, deleteGraphMcp, deleteMcpProfile, deleteMcp, getAuthorizationRequest, getAuthorizationServerMetadata, getGraphMcp, getGraphResourceMetadata, getMcpProfileResourceMetadata, getMcpProfile, getMcpResourceMetadata, getMcp, getProtectedResourceMetadata, issueAppToken, postGraphMcp, postMcpProfile, postMcp, registerApp, revokeAppToken],
  jobs: [removeExpiredAuthorizations],
  commands: [deactivateOauthClient],
} as const satisfies PluginParts;
