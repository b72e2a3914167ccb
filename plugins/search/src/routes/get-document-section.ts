import { defineRoute, graphOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { writeErrors } from '../documents/index.ts';
import { passageFields, sectionOf } from '../models/passage-fields.ts';
import { requireSearchable, search } from '../search.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

export default defineRoute({
  name: 'get-document-section',
  path: 'GET /v1/graphs/{graph_id}/search/{document_id}',
  summary: 'The whole text of a passage that a search has found, or of the first one of a document.',
  openapi: { id: 'get_document_section', tag: 'search' },
  category: 'graph_search',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('DocumentSection', {
      document_id: Type.String(),
      graph_id: Type.String(),
      source_type: Type.String(),
      content: Type.String(),
      ...passageFields(),
      entity_cik: optionalText(),
      fiscal_period: optionalText(),
      accession_number: optionalText(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [503],
  services: { search },
  errors: { SEARCH_OFF: writeErrors.SEARCH_OFF, NOT_FOUND: 'The graph has no such passage.' },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    requireSearchable(use.search);
    const entry = await use.search.searcher.section(graph.id, params.document_id, ctx.signal);
    return sectionOf(graph.id, entry);
  },
});
