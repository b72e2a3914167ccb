import { defineRoute, graphOf, searchResponse } from '@pacioli/core';
import { writeErrors } from '../documents/index.ts';
import { hitOf } from '../models/passage-fields.ts';
import { requireSearchable, search } from '../search.ts';
import { searchOrderOf, searchRequest } from '../searching/index.ts';

export default defineRoute({
  name: 'search-documents',
  path: 'POST /v1/graphs/{graph_id}/search',
  summary: 'Searches the texts of the graph: documents, and disclosures of reports.',
  openapi: { id: 'search_documents', tag: 'search' },
  category: 'graph_search',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  body: searchRequest,
  answers: {
    200: searchResponse,
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [503],
  services: { search },
  errors: {
    SEARCH_OFF: writeErrors.SEARCH_OFF,
    INVALID_INPUT: 'The query is empty or too long, or a number or date is out of bounds.',
  },

  async handle({ body, ctx, use }) {
    const graph = graphOf(ctx);
    requireSearchable(use.search);
    const { total, hits } = await use.search.searcher.search(graph.id, searchOrderOf(body), ctx.signal);
    return { total, hits: hits.map(hitOf), query: body.query, graph_id: graph.id };
  },
});
