import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { documentIdOf, requireOwnDocuments, writeErrors } from '../documents/index.ts';
import { requireWritable, search } from '../search.ts';

export default defineOperation({
  name: 'delete-document',
  summary: 'Deletes a document and removes its sections from search.',
  openapi: { id: 'delete_document', tag: 'content_operations' },
  role: 'member',
  mcp: {
    hint: 'Deletes a document and its passages for good, by its id.',
    idempotent: true,
    confirmation: 'Deletes the document with its passages for good.',
    isOn: ({ search }) => search.isOn,
  },
  effect: 'destructive',
  input: model(
    'DeleteDocumentOp',
    { document_id: Type.String() },
    { fields: { document_id: 'The `id` of the document, or the `document_id` that was returned when it was stored.' } },
  ),
  output: model('DeleteDocumentResult', { document_id: Type.String(), deleted: Type.Boolean() }),
  untypedResult: true,
  services: { search },
  errors: { ...writeErrors, NOT_FOUND: 'The graph has no such document.' },

  async prepare({ input, ctx, use }) {
    requireOwnDocuments(ctx.graph);
    requireWritable(use.search);
    await use.search.writer.prepareDeletion(ctx.graph.id, documentIdOf(ctx.graph.id, input.document_id));
  },

  async handle({ input, ctx, use }) {
    const documentId = documentIdOf(ctx.graph.id, input.document_id);
    await use.search.writer.delete(ctx.tx, documentId, ctx.signal);
    return { document_id: documentId, deleted: true };
  },
});
