import {
  defineRoute,
  fileErrors,
  fileTransfers,
  kernel,
  model,
  notFound,
  requestFacts,
  ServiceError,
  securityAudit,
  tierNumbers,
} from '@pacioli/core';
import { Type } from 'typebox';
import { downloadsThisMonth, fileNameOf, findDownloadable, noteDownload } from '../backups/index.ts';
import { graphOf } from '../graph-of.ts';

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
    expires_in: Type.Optional(Type.Integer({ default: 3_600, minimum: 300, maximum: 86_400 })),
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
  services: { store: kernel.store, transfers: fileTransfers, audit: securityAudit },
  errors: {
    ...fileErrors,
    DOWNLOAD_LIMIT_REACHED: { kind: 'rate_limited', meaning: 'The tier allows no further download this month.' },
  },

  async handle({ params, query, ctx, use }) {
    const graph = graphOf(ctx);
    const now = ctx.now();
    const expiresIn = query.expires_in ?? 3_600;
    const url = await use.store.transaction({ graphId: graph.id }, async (tx) => {
      const backup = await findDownloadable(tx, params.backup_id, now);
      if (backup === undefined) throw notFound('Backup not found or cannot be downloaded');
      const most = tierNumbers(graph.tier).backup.maxDownloadsPerMonth;
      const used = await downloadsThisMonth(tx, ctx.caller.userId, now);
      if (most !== null && used >= most) throw limitReached(most, now);
      await noteDownload(tx, backup.backup_id, ctx.caller.userId, now);
      return use.transfers.downloadUrl(tx, {
        graphId: graph.id,
        userId: ctx.caller.userId,
        key: backup.file_key,
        contentType: 'application/zip',
        fileName: fileNameOf(backup),
        expiresInSeconds: expiresIn,
        now,
        serviceUrl: ctx.serviceUrl,
      });
    });
    // Anyone with the URL can download, so it is recorded who asked for it.
    use.audit.recordInBackground({
      type: 'admin_action',
      risk: 'medium',
      caller: ctx.caller,
      request: requestFacts(ctx, endpoint),
      graphId: graph.id,
      details: { action: 'backup_download', backup_id: params.backup_id },
    });
    return {
      download_url: url,
      expires_in: expiresIn,
      expires_at: Math.floor(now.getTime() / 1_000) + expiresIn,
      backup_id: params.backup_id,
      graph_id: params.graph_id,
    };
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
