import { defineRoute, graphOf, kernel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { listDocuments, listedView, requireOwnDocuments, writeErrors } from '../documents/index.ts';

export default defineRoute({
  name: 'list-documents',
  path: 'GET /v1/graphs/{graph_id}/documents',
  summary: 'The documents of the graph without their contents, the latest change first.',
  openapi: { id: 'list_documents', tag: 'documents' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('ListDocumentsQuery', { source_type: Type.Optional(nullable(Type.String())) }),
  answers: {
    200: model('DocumentListResponse', {
      total: Type.Integer(),
      documents: Type.Array(
        model('DocumentListItem', {
          id: Type.String(),
          document_title: Type.String(),
          section_count: Type.Integer(),
          source_type: Type.String(),
          created_at: Type.String(),
          updated_at: Type.String(),
          folder: Type.Optional(nullable(Type.String())),
          tags: Type.Optional(nullable(Type.Array(Type.String()))),
        }),
      ),
      graph_id: Type.String(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store },
  errors: { REPOSITORY: writeErrors.REPOSITORY },

  async handle({ query, ctx, use }) {
    const graph = graphOf(ctx);
    requireOwnDocuments(graph);
    const list = (tx: Parameters<typeof listDocuments>[0]) =>
      listDocuments(tx, { sourceType: query.source_type ?? undefined });
    const rows = await use.store.transaction({ graphId: graph.id }, list, { readOnly: true });
    return {
      total: rows.length,
      documents: rows.map(listedView),
      graph_id: graph.id,
    };
  },
});
