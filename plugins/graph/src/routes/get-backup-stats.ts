import { defineRoute, graphOf, kernel, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { backupStats, ratio } from '../backups/index.ts';

export default defineRoute({
  name: 'get-backup-stats',
  path: 'GET /v1/graphs/{graph_id}/backups/stats',
  summary: 'The number, success rate and sizes of the backups of the graph.',
  openapi: { id: 'get_backup_stats', tag: 'backup' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('BackupStatsResponse', {
      graph_id: Type.String(),
      total_backups: Type.Integer(),
      successful_backups: Type.Integer(),
      failed_backups: Type.Integer(),
      success_rate: Type.Number(),
      total_original_size_bytes: Type.Integer(),
      total_compressed_size_bytes: Type.Integer(),
      storage_saved_bytes: Type.Integer(),
      average_compression_ratio: Type.Number(),
      latest_backup_date: nullable(Type.String()),
      backup_formats: mapOf(Type.Integer()),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store },

  async handle({ ctx, use }) {
    const graph = graphOf(ctx);
    const stats = await use.store.transaction({ graphId: graph.id }, (tx) => backupStats(tx), { readOnly: true });
    const ended = stats.completed + stats.failed;
    return {
      graph_id: graph.id,
      total_backups: stats.total,
      successful_backups: stats.completed,
      failed_backups: stats.failed,
      success_rate: ended === 0 ? 0 : Math.round((stats.completed / ended) * 10_000) / 100,
      total_original_size_bytes: stats.original_bytes,
      total_compressed_size_bytes: stats.compressed_bytes,
      storage_saved_bytes: Math.max(0, stats.saved_original - stats.saved_compressed),
      average_compression_ratio: stats.mean_ratio === null ? 1 : ratio(stats.mean_ratio),
      latest_backup_date: stats.latest?.toISOString() ?? null,
      backup_formats: stats.total === 0 ? {} : { full_dump: stats.total },
    };
  },
});
