import { Type } from 'typebox';
import { credits, noPool } from '../credits/credits.ts';
import { defineRoute } from '../define/route.ts';
import { model, nullable } from '../schema/model.ts';
import { kernel } from '../services/kernel-tokens.ts';

const creditSummaryResponse = model('CreditSummaryResponse', {
  graph_id: Type.String(),
  graph_tier: Type.String(),
  current_balance: Type.Number(),
  monthly_allocation: Type.Number(),
  consumed_this_month: Type.Number(),
  transaction_count: Type.Integer(),
  usage_percentage: Type.Number(),
  last_allocation_date: Type.Optional(nullable(Type.String())),
});

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
