import { credits, noPool } from '../credits/credits.ts';
import { defineRoute } from '../define/route.ts';
import creditSummaryResponse from '../models/CreditSummaryResponse.ts';
import { kernel } from '../services/kernel-tokens.ts';

export default defineRoute({
  name: 'get-credit-summary',
  path: 'GET /v1/graphs/{graph_id}/credits',
  summary: 'Returns the remaining credits of a graph and its use this month.',
  openapi: { id: 'get_credit_summary', tag: 'credits' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: creditSummaryResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { credits, store: kernel.store },
  async handle({ params, ctx, use }) {
    const owner = use.credits.ownerOf(params.graph_id, ctx.caller.userId);
    const summary = await use.store.transaction('kernel', (tx) => use.credits.reads.summary(tx, owner, ctx.now()), {
      readOnly: true,
    });
    if (summary === undefined) throw noPool();
    return summary;
  },
});
