import { defineRoute, graphOf, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { operatorRequest } from '../models/OperatorRequest.ts';
import { operatorResponse } from '../models/OperatorResponse.ts';
import { requestErrors } from '../request-errors.ts';
import { operatorServices } from '../tokens.ts';

export default defineRoute({
  name: 'execute-specific-operator',
  path: 'POST /v1/graphs/{graph_id}/operator/{operator_type}',
  summary: 'Asks one AI operator by its type.',
  openapi: { id: 'execute_specific_operator', tag: 'operator' },
  category: 'graph_operator',
  auth: ['api-key', 'bearer'],
  role: 'member',
  effect: 'write',
  query: model('ExecuteSpecificOperatorQuery', {
    mode: Type.Optional(nullable(oneOf(['async', 'auto', 'stream', 'sync']))),
  }),
  body: operatorRequest,
  answers: { 200: operatorResponse, 202: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [402],
  services: { operatorServices },
  errors: requestErrors,
  precheck: async ({ use }) => use.operatorServices.requests.requireEnabled(),
  async handle({ params, query, body, ctx, use }) {
    const asked = { graph: graphOf(ctx), ctx, body, responseMode: query.mode, type: params.operator_type };
    return use.operatorServices.requests.start(asked);
  },
});
