import { defineRoute, graphOf, instant, kernel, model, nullable, type Transaction } from '@pacioli/core';
import { Type } from 'typebox';
import { backupAnswer, listBackups } from '../backups/index.ts';
import backupResponse from '../models/BackupResponse.ts';

const downloadQuota = model('DownloadQuota', {
  limit_per_month: Type.Integer(),
  used_this_month: Type.Integer(),
  remaining: Type.Integer(),
  resets_at: instant(),
});

export default defineRoute({
  name: 'list-backups',
  path: 'GET /v1/graphs/{graph_id}/backups',
  summary: 'The backups of the graph that have not expired, the newest first.',
  openapi: { id: 'list_backups', tag: 'backup' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  onFormerGraphs: true,
  query: model('ListBackupsQuery', {
    limit: Type.Optional(Type.Integer({ default: 50, minimum: 1, maximum: 100 })),
    offset: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: 1_000_000 })),
  }),
  answers: {
    200: model('BackupListResponse', {
      backups: Type.Array(backupResponse),
      total_count: Type.Integer(),
      graph_id: Type.String(),
      is_shared_repository: Type.Optional(Type.Boolean({ default: false })),
      download_quota: Type.Optional(nullable(downloadQuota)),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store },

  async handle({ query, ctx, use }) {
    const graph = graphOf(ctx);
    const page = { limit: query.limit ?? 50, offset: query.offset ?? 0 };
    const list = (tx: Transaction) => listBackups(tx, page);
    const { backups, total } = await use.store.transaction({ graphId: graph.id }, list, { readOnly: true });
    return {
      backups: backups.map(backupAnswer),
      total_count: total,
      graph_id: graph.id,
      is_shared_repository: false,
      download_quota: null,
    };
  },
});
