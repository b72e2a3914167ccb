import { defineRoute, graphOf } from '@pacioli/core';
import { operatorMetadataResponse } from '../models/OperatorMetadataResponse.ts';
import { operatorServices } from '../tokens.ts';

export default defineRoute({
  name: 'get-operator-metadata',
  path: 'GET /v1/graphs/{graph_id}/operator/{operator_type}',
  summary: 'What an AI operator is for, and how it can be asked.',
  openapi: { id: 'get_operator_metadata', tag: 'operator' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: { 200: operatorMetadataResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { operatorServices },
  errors: { NOT_FOUND: { kind: 'not_found', meaning: 'The graph has no operator of this type.' } },
  async handle({ params, ctx, use }) {
    return use.operatorServices.requests.metadata(graphOf(ctx), params.operator_type);
  },
});
