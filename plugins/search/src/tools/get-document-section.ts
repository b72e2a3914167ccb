import { defineTool, model } from '@pacioli/core';
import { Type } from 'typebox';
import { trustOf, writeErrors } from '../documents/index.ts';
import { sectionOf } from '../models/passage-fields.ts';
import { requireSearchable, search } from '../search.ts';

export default defineTool({
  name: 'get-document-section',
  title: 'Read a passage',
  description:
    'The whole text of a passage that search-documents has found, at most 8,000 characters. A longer section continues ' +
    'with next_document_id.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: model(
    'GetDocumentSectionArguments',
    { document_id: Type.String({ minLength: 1, description: 'The document_id of a hit.' }) },
    { closed: true },
  ),
  services: { search },
  errors: { SEARCH_OFF: writeErrors.SEARCH_OFF, NOT_FOUND: 'The graph has no such passage.' },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx, use }) {
    requireSearchable(use.search);
    const entry = await use.search.searcher.section(ctx.graph.id, input.document_id, ctx.signal);
    return { ...sectionOf(ctx.graph.id, entry), ...trustOf(entry.sourceType) };
  },
});
