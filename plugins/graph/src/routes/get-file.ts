import { defineRoute, graphOf, kernel, model, notFound, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { findFile } from '../files/index.ts';
import fileLayers from '../models/EnhancedFileStatusLayers.ts';

export default defineRoute({
  name: 'get-file',
  path: 'GET /v1/graphs/{graph_id}/files/{file_id}',
  summary: 'One file and its state in each layer: upload, staging and graph.',
  openapi: { id: 'get_file', tag: 'files' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('GetFileInfoResponse', {
      file_id: Type.String(),
      graph_id: Type.String(),
      table_id: Type.String(),
      file_name: Type.String(),
      file_format: Type.String(),
      size_bytes: Type.Integer(),
      upload_status: Type.String(),
      upload_method: Type.String(),
      s3_key: Type.String(),
      table_name: Type.Optional(nullable(Type.String())),
      row_count: Type.Optional(nullable(Type.Integer())),
      created_at: Type.Optional(nullable(Type.String())),
      uploaded_at: Type.Optional(nullable(Type.String())),
      layers: Type.Optional(nullable(fileLayers)),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const find = use.store.transaction({ graphId: graph.id }, (tx) => findFile(tx, params.file_id), { readOnly: true });
    const file = await find;
    if (file === undefined) throw notFound('The graph has no such file.');
    const layer = (status: string, at: Date | null, rows: number | null, bytes: number | null) => ({
      status,
      timestamp: at?.toISOString() ?? null,
      row_count: rows,
      size_bytes: bytes,
    });
    const isIn = file.graph_status === 'ingested';
    return {
      file_id: file.file_id,
      graph_id: graph.id,
      table_id: file.table_name,
      file_name: file.file_name,
      file_format: file.format,
      size_bytes: file.size_bytes,
      upload_status: file.upload_status,
      upload_method: 'api',
      s3_key: file.file_key,
      table_name: file.table_name,
      row_count: file.row_count,
      created_at: file.created_at.toISOString(),
      uploaded_at: file.uploaded_at?.toISOString() ?? null,
      layers: {
        s3: layer(file.upload_status, file.uploaded_at, file.row_count, file.size_bytes),
        duckdb: layer(file.staging_status, file.staged_at, file.row_count, null),
        graph: layer(file.graph_status, file.ingested_at, isIn ? file.row_count : null, null),
      },
    };
  },
});
