import { defineRoute } from '@pacioli/core';
import { notAllowed } from '../endpoint/index.ts';

export default defineRoute({
  name: 'get-graph-mcp',
  path: 'GET /v1/graphs/{graph_id}/mcp',
  summary: 'Refuses, because there are no sessions.',
  openapi: { id: 'get_graph_mcp', tag: 'mcp' },
  hidden: true,
  category: null,
  auth: [],
  answers: { 405: null },
  fails: [405],
  errors: {
    METHOD_NOT_ALLOWED: { kind: 'method_not_allowed', meaning: 'There is no session; messages are sent with POST.' },
  },

  handle: async () => {
    throw notAllowed();
  },
});
