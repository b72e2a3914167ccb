import { defineTool, model } from '@pacioli/core';
import { Type } from 'typebox';
import { documentIdOfHit, documentView, findDocument, trustOf } from '../documents/index.ts';
import { search } from '../search.ts';
import { noDocument } from '../writing/index.ts';

export default defineTool({
  name: 'get-document',
  title: 'Read a document',
  description:
    'One document with its content as it was stored. Read a long one by its passages, with search-documents and ' +
    'get-document-section.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph'] },
  input: model(
    'GetDocumentArguments',
    {
      document_id: Type.String({ minLength: 1, description: 'An id of list-documents, or the document_id of a hit.' }),
    },
    { closed: true },
  ),
  services: { search },
  errors: { NOT_FOUND: 'The graph has no such document.' },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx }) {
    const documentId = documentIdOfHit(ctx.graph.id, input.document_id);
    const row = await ctx.transaction((tx) => findDocument(tx, documentId));
    if (row === undefined) throw noDocument();
    return { ...documentView(row), ...trustOf(row.source_type) };
  },
});
