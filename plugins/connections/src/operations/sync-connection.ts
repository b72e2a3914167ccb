import { defineOperation, openObject } from '@pacioli/core';
import syncConnectionRequest from '../models/SyncConnectionRequest.ts';
import { connections } from '../providers.ts';

export default defineOperation({
  name: 'sync-connection',
  path: 'POST /v1/graphs/{graph_id}/connections/{connection_id}/sync',
  summary: 'Pulls new data from the provider of a connection; completes immediately if there is nothing to pull.',
  openapi: { id: 'sync_connection', tag: 'connections' },
  // Writes to the books and calls outside systems: requires a member and uses the sync rate limit (platform P-13, R-4).
  role: 'member',
  mcp: {
    hint: 'Pulls new data from a connected outside system; use it when the books look out of date.',
    openWorld: true,
  },
  category: 'graph_sync',
  runs: 'worker',
  maxSeconds: 3600,
  // Ledger L-124: loading the same records twice stores them once.
  restartable: true,
  // Ledger L-122: a second request is refused while a sync runs, instead of joining it.
  dedupe: false,
  input: syncConnectionRequest,
  output: openObject(),
  untypedResult: true,
  failsPlain: [504],
  services: { connections },
  errors: {
    INVALID_STATE: 'The last sync has not ended; with the status 400, the connection is not connected.',
    NEEDS_REAUTH: {
      kind: 'upstream',
      meaning: 'The outside system refuses the credentials; authorize the account again.',
    },
    PROVIDER_ERROR: { kind: 'upstream', meaning: 'The outside system does not answer, or fails.' },
  },

  async admit({ ctx, use }) {
    return use.connections.syncs.accept(ctx.tx, ctx.params['connection_id'] ?? '', ctx.operationId);
  },

  async handle({ input, ctx, use }) {
    return use.connections.syncs.run(ctx, input);
  },
});
