import { defineTool } from '@pacioli/core';
import { trustOf, writeErrors } from '../documents/index.ts';
import { hitOf } from '../models/passage-fields.ts';
import { requireSearchable, search } from '../search.ts';
import { searchArguments, searchOrderOf } from '../searching/index.ts';

export default defineTool({
  name: 'search-documents',
  title: 'Search documents',
  description:
    'Finds passages of the documents, filings and disclosures of this graph by their words, and with `semantic` also by ' +
    'their meaning. Read a whole passage by its document_id with get-document-section.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: searchArguments,
  services: { search },
  errors: {
    SEARCH_OFF: writeErrors.SEARCH_OFF,
    INVALID_INPUT: 'The query is empty or too long, or a number or date is out of bounds.',
  },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx, use }) {
    requireSearchable(use.search);
    const { total, hits } = await use.search.searcher.search(ctx.graph.id, searchOrderOf(input), ctx.signal);
    return { total, hits: hits.map((hit) => ({ ...hitOf(hit), ...trustOf(hit.entry.sourceType) })) };
  },
});
