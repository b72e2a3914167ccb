import { defineRoute, graphOf, kernel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { documentIdOfHit, documentView, findDocument, requireOwnDocuments, writeErrors } from '../documents/index.ts';
import { noDocument } from '../writing/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

export default defineRoute({
  name: 'get-document',
  path: 'GET /v1/graphs/{graph_id}/documents/{document_id}',
  summary: 'One document with its content as it was stored.',
  openapi: { id: 'get_document', tag: 'documents' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('DocumentDetailResponse', {
      id: Type.String(),
      graph_id: Type.String(),
      user_id: Type.String(),
      title: Type.String(),
      content: Type.String(),
      source_type: Type.String(),
      sections_indexed: Type.Integer(),
      created_at: Type.String(),
      updated_at: Type.String(),
      tags: Type.Optional(nullable(Type.Array(Type.String()))),
      folder: optionalText(),
      external_id: optionalText(),
      source_provider: optionalText(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store },
  errors: { REPOSITORY: writeErrors.REPOSITORY, NOT_FOUND: 'The graph has no such document.' },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    requireOwnDocuments(graph);
    const documentId = documentIdOfHit(graph.id, params.document_id);
    const find = (tx: Parameters<typeof findDocument>[0]) => findDocument(tx, documentId);
    const row = await use.store.transaction({ graphId: graph.id }, find, { readOnly: true });
    if (row === undefined) throw noDocument();
    return documentView(row);
  },
});
