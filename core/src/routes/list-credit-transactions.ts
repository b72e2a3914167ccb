import { Type } from 'typebox';
import { credits, noPool } from '../credits/credits.ts';
import { transactionFilter } from '../credits/transaction-filter.ts';
import { defineRoute } from '../define/route.ts';
import { mapOf, model, nullable, openObject } from '../schema/model.ts';
import { kernel } from '../services/kernel-tokens.ts';

const enhancedCreditTransactionResponse = model('EnhancedCreditTransactionResponse', {
  id: Type.String(),
  type: Type.String(),
  amount: Type.Number(),
  description: Type.String(),
  metadata: openObject(),
  created_at: Type.String(),
  operation_id: Type.Optional(nullable(Type.String())),
  idempotency_key: Type.Optional(nullable(Type.String())),
  request_id: Type.Optional(nullable(Type.String())),
  user_id: Type.Optional(nullable(Type.String())),
});

const transactionSummaryResponse = model('TransactionSummaryResponse', {
  operation_type: Type.String(),
  total_amount: Type.Number(),
  transaction_count: Type.Integer(),
  average_amount: Type.Number(),
  first_transaction: Type.Optional(nullable(Type.String())),
  last_transaction: Type.Optional(nullable(Type.String())),
});

const detailedTransactionsResponse = model('DetailedTransactionsResponse', {
  transactions: Type.Array(enhancedCreditTransactionResponse),
  summary: mapOf(transactionSummaryResponse),
  total_count: Type.Integer(),
  filtered_count: Type.Integer(),
  date_range: mapOf(Type.String()),
});

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
