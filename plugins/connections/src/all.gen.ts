// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import syncConnection from './operations/sync-connection.ts';
import createConnection from './routes/create-connection.ts';
import deleteConnection from './routes/delete-connection.ts';
import getConnectionOptions from './routes/get-connection-options.ts';
import getConnection from './routes/get-connection.ts';
import initOauth from './routes/init-oauth.ts';
import listConnections from './routes/list-connections.ts';
import oauthCallback from './routes/oauth-callback.ts';
import setConnectionWritePolicy from './routes/set-connection-write-policy.ts';
import getGraphSyncStatus from './tools/get-graph-sync-status.ts';
import setWritePolicy from './tools/set-write-policy.ts';

export const all = {
  operations: [syncConnection],
  routes: [createConnection, deleteConnection, getConnectionOptions, getConnection, initOauth, listConnections, oauthCallback, setConnectionWritePolicy],
  tools: [getGraphSyncStatus, setWritePolicy],
} as const satisfies PluginParts;
