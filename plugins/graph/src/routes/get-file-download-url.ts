import { defineRoute, fileErrors, fileFailure, graphOf, kernel, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { downloadServices, expiresIn, grantDownload } from '../downloads/index.ts';
import { contentTypeOf, findFile } from '../files/index.ts';

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
    expires_in: expiresIn,
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
  services: { ...downloadServices, files: kernel.fileStore },
  errors: fileErrors,

  async handle({ params, query, ctx, use }) {
    const graph = graphOf(ctx);
    const file = await use.store.transaction({ graphId: graph.id }, (tx) => findFile(tx, params.file_id), {
      readOnly: true,
    });
    if (file === undefined) throw notFound('The graph has no such file.');
    const info = await use.files.info(file.file_key).catch((error: unknown) => {
      throw fileFailure(error);
    });
    if (info === undefined) throw notFound('The file has not been uploaded. Send it with PUT to its upload_url first.');
    const granted = await grantDownload(use, ctx, {
      graphId: graph.id,
      expires_in: query.expires_in,
      endpoint,
      risk: 'low',
      details: { action: 'file_download', file_id: file.file_id },
      find: async () => ({
        key: file.file_key,
        contentType: contentTypeOf(file.format),
        fileName: file.file_name,
      }),
    });
    return { ...granted, file_id: file.file_id, graph_id: graph.id };
  },
});
