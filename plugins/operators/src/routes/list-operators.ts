import { defineRoute, graphOf, mapOf, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { operatorServices } from '../tokens.ts';

export default defineRoute({
  name: 'list-operators',
  path: 'GET /v1/graphs/{graph_id}/operator',
  summary: 'The AI operators of a graph by type.',
  openapi: { id: 'list_operators', tag: 'operator' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  query: model('ListOperatorsQuery', { capability: Type.Optional(nullable(Type.String())) }),
  answers: {
    200: model('OperatorListResponse', { operators: mapOf(openObject()), total: Type.Integer() }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { operatorServices },
  async handle({ query, ctx, use }) {
    const operators = use.operatorServices.requests.list(graphOf(ctx), query.capability ?? undefined);
    return { operators, total: Object.keys(operators).length };
  },
});
