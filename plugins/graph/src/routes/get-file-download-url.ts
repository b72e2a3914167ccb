import {
  defineRoute,
  fileErrors,
  fileFailure,
  fileTransfers,
  kernel,
  model,
  notFound,
  requestFacts,
  securityAudit,
} from '@pacioli/core';
import { Type } from 'typebox';
import { contentTypeOf, findFile } from '../files/index.ts';
import { graphOf } from '../graph-of.ts';

const endpoint = 'GET /v1/graphs/{graph_id}/files/{file_id}/download';

/** An addition to the contract, in the form of the download of a backup (graphs F-13, P-1). */
export default defineRoute({
  name: 'get-file-download-url',
  path: endpoint,
  summary: 'A URL from which the original file can be downloaded without a credential, until it expires.',
  openapi: { id: 'get_file_download_url', tag: 'files' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('FileDownloadQuery', {
    expires_in: Type.Optional(Type.Integer({ default: 3_600, minimum: 300, maximum: 86_400 })),
  }),
  answers: {
    200: model('FileDownloadUrlResponse', {
      download_url: Type.String(),
      expires_in: Type.Integer(),
      expires_at: Type.Number(),
      file_id: Type.String(),
      graph_id: Type.String(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500, 503],
  services: { store: kernel.store, files: kernel.fileStore, transfers: fileTransfers, audit: securityAudit },
  errors: fileErrors,

  async handle({ params, query, ctx, use }) {
    const graph = graphOf(ctx);
    const now = ctx.now();
    const expiresIn = query.expires_in ?? 3_600;
    const file = await use.store.transaction({ graphId: graph.id }, (tx) => findFile(tx, params.file_id), {
      readOnly: true,
    });
    if (file === undefined) throw notFound('The graph has no such file.');
    const info = await use.files.info(file.file_key).catch((error: unknown) => {
      throw fileFailure(error);
    });
    if (info === undefined) throw notFound('The file has not been uploaded. Send it with PUT to its upload_url first.');
    const url = await use.store.transaction({ graphId: graph.id }, (tx) =>
      use.transfers.downloadUrl(tx, {
        graphId: graph.id,
        userId: ctx.caller.userId,
        key: file.file_key,
        contentType: contentTypeOf(file.format),
        fileName: file.file_name,
        expiresInSeconds: expiresIn,
        now,
        serviceUrl: ctx.serviceUrl,
      }),
    );
    // Anyone with the URL can download, so it is recorded who asked for it.
    use.audit.recordInBackground({
      type: 'admin_action',
      risk: 'low',
      caller: ctx.caller,
      request: requestFacts(ctx, endpoint),
      graphId: graph.id,
      details: { action: 'file_download', file_id: file.file_id },
    });
    return {
      download_url: url,
      expires_in: expiresIn,
      expires_at: Math.floor(now.getTime() / 1_000) + expiresIn,
      file_id: file.file_id,
      graph_id: graph.id,
    };
  },
});
