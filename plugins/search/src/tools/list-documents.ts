import { defineTool, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { listDocuments, listedView } from '../documents/index.ts';
import { search } from '../search.ts';

/** As many as a model reads; search-documents finds the others. */
const maxDocuments = 200;

export default defineTool({
  name: 'list-documents',
  title: 'List documents',
  description:
    `The ${maxDocuments} documents of this graph that were changed last, without their contents. If truncated is true, ` +
    'there are more: narrow the list by its folder, or use search-documents.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph'] },
  input: model(
    'ListDocumentsArguments',
    { folder: Type.Optional(nullable(Type.String())), source_type: Type.Optional(nullable(Type.String())) },
    {
      closed: true,
      fields: { folder: 'Only documents of exactly this folder.', source_type: 'Such as `uploaded_doc`.' },
    },
  ),
  services: { search },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx }) {
    const filter = { sourceType: input.source_type ?? undefined, folder: input.folder ?? undefined };
    const rows = await ctx.transaction((tx) => listDocuments(tx, filter, maxDocuments + 1));
    const documents = rows.slice(0, maxDocuments).map(listedView);
    return { total: documents.length, documents, truncated: rows.length > maxDocuments };
  },
});
