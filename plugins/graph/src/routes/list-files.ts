import { defineRoute, graphOf, graphSchemas, kernel, model, notFound, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { listFiles, stagedTables } from '../files/index.ts';

const fileInfo = model('FileInfo', {
  file_id: Type.String(),
  file_name: Type.String(),
  file_format: Type.String(),
  size_bytes: Type.Integer(),
  upload_status: Type.String(),
  upload_method: Type.String(),
  s3_key: Type.String(),
  row_count: Type.Optional(nullable(Type.Integer())),
  created_at: Type.Optional(nullable(Type.String())),
  uploaded_at: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'list-files',
  path: 'GET /v1/graphs/{graph_id}/files',
  summary: 'The files of the graph, the newest first.',
  openapi: { id: 'list_files', tag: 'files' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('ListFilesQuery', {
    table_name: Type.Optional(nullable(Type.String())),
    status: Type.Optional(nullable(Type.String())),
  }),
  answers: {
    200: model('ListTableFilesResponse', {
      graph_id: Type.String(),
      files: Type.Array(fileInfo),
      total_files: Type.Integer(),
      total_size_bytes: Type.Integer(),
      table_name: Type.Optional(nullable(Type.String())),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, schemas: graphSchemas },

  async handle({ query, ctx, use }) {
    const graph = graphOf(ctx);
    const table = query.table_name ?? undefined;
    const files = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => {
        const schema = await use.schemas.of(tx, graph);
        if (table !== undefined && !stagedTables(schema).some(({ name }) => name === table))
          throw notFound('The graph has no table of this name.');
        return listFiles(tx, { table, status: query.status ?? undefined });
      },
      { readOnly: true },
    );
    return {
      graph_id: graph.id,
      files: files.map((file) => ({
        file_id: file.file_id,
        file_name: file.file_name,
        file_format: file.format,
        size_bytes: file.size_bytes,
        upload_status: file.upload_status,
        upload_method: 'api',
        s3_key: file.file_key,
        row_count: file.row_count,
        created_at: file.created_at.toISOString(),
        uploaded_at: file.uploaded_at?.toISOString() ?? null,
      })),
      total_files: files.length,
      total_size_bytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
      table_name: table ?? null,
    };
  },
});
