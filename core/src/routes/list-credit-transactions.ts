import { Type } from 'typebox';
import { credits, noPool } from '../credits/credits.ts';
import { transactionFilter } from '../credits/transaction-filter.ts';
import { defineRoute } from '../define/route.ts';
import detailedTransactionsResponse from '../models/DetailedTransactionsResponse.ts';
import { model, nullable } from '../schema/model.ts';
import { kernel } from '../services/kernel-tokens.ts';

export default defineRoute({
  name: 'list-credit-transactions',
  path: 'GET /v1/graphs/{graph_id}/credits/transactions',
  summary: 'Lists the credit transactions of a graph, newest first.',
  openapi: { id: 'list_credit_transactions', tag: 'credits' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('CreditTransactionsQuery', {
    transaction_type: Type.Optional(nullable(Type.String())),
    operation_type: Type.Optional(nullable(Type.String())),
    start_date: Type.Optional(nullable(Type.String())),
    end_date: Type.Optional(nullable(Type.String())),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  }),
  answers: { 200: detailedTransactionsResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { credits, store: kernel.store },
  async handle({ params, query, ctx, use }) {
    const filter = transactionFilter(query);
    const owner = use.credits.ownerOf(params.graph_id, ctx.caller.userId);
    const page = await use.store.transaction('kernel', (tx) => use.credits.reads.transactions(tx, owner, filter), {
      readOnly: true,
    });
    if (page === undefined) throw noPool();
    return page;
  },
});
