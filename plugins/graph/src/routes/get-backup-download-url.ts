import { defineRoute, fileErrors, graphOf, model, notFound, ServiceError, tierNumbers } from '@pacioli/core';
import { Type } from 'typebox';
import { downloadsThisMonth, fileNameOf, findDownloadable, noteDownload } from '../backups/index.ts';
import { downloadServices, expiresIn, grantDownload } from '../downloads/index.ts';

const endpoint = 'GET /v1/graphs/{graph_id}/backups/{backup_id}/download';

export default defineRoute({
  name: 'get-backup-download-url',
  path: endpoint,
  summary: 'A URL from which the backup can be downloaded without a credential, until it expires.',
  openapi: { id: 'get_backup_download_url', tag: 'backup' },
  category: 'graph_backup',
  auth: ['api-key', 'bearer'],
  role: 'admin',
  // It counts against an allowance, but changes nothing of the graph.
  effect: 'read',
  whileBlocked: true,
  onFormerGraphs: true,
  query: model('BackupDownloadQuery', {
    expires_in: expiresIn,
  }),
  answers: {
    200: model('BackupDownloadUrlResponse', {
      download_url: Type.String(),
      expires_in: Type.Integer(),
      expires_at: Type.Number(),
      backup_id: Type.String(),
      graph_id: Type.String(),
    }),
  },
  fails: [422],
  failsPlain: [403, 404, 500],
  services: downloadServices,
  errors: {
    ...fileErrors,
    DOWNLOAD_LIMIT_REACHED: { kind: 'rate_limited', meaning: 'The tier allows no further download this month.' },
  },

  async handle({ params, query, ctx, use }) {
    const graph = graphOf(ctx);
    const granted = await grantDownload(use, ctx, {
      graphId: graph.id,
      expires_in: query.expires_in,
      endpoint,
      risk: 'medium',
      details: { action: 'backup_download', backup_id: params.backup_id },
      find: async (tx, now) => {
        const backup = await findDownloadable(tx, params.backup_id, now);
        if (backup === undefined) throw notFound('Backup not found or cannot be downloaded');
        const most = tierNumbers(graph.tier).backup.maxDownloadsPerMonth;
        const used = await downloadsThisMonth(tx, ctx.caller.userId, now);
        if (most !== null && used >= most) throw limitReached(most, now);
        await noteDownload(tx, backup.backup_id, ctx.caller.userId, now);
        return { key: backup.file_key, contentType: 'application/zip', fileName: fileNameOf(backup) };
      },
    });
    return { ...granted, backup_id: params.backup_id, graph_id: params.graph_id };
  },
});

function limitReached(most: number, now: Date): ServiceError {
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const message = `This month's ${most} backup downloads of this graph are used up. The next month begins in UTC.`;
  return new ServiceError('rate_limited', 'DOWNLOAD_LIMIT_REACHED', message, {
    headers: {
      'Retry-After': String(Math.ceil((reset - now.getTime()) / 1_000)),
      'X-RateLimit-Limit': String(most),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(reset / 1_000),
    },
  });
}
