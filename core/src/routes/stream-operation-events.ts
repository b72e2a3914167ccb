import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import { anything, model, nullable } from '../schema/model.ts';
import { operationStreams } from '../sse/streams.ts';

/** The largest integer of the store, beyond the sequence number of any event. */
const maxSequence = 2_147_483_647;

export default defineRoute({
  name: 'stream-operation-events',
  path: 'GET /v1/operations/{operation_id}/stream',
  summary: 'Streams the events of an operation, stored ones first, then live.',
  openapi: { id: 'stream_operation_events', tag: 'operations' },
  category: 'sse',
  auth: ['api-key', 'bearer', 'token-in-query'],
  scopedKeys: true,
  query: model('StreamQuery', {
    from_sequence: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    token: Type.Optional(nullable(Type.String())),
  }),
  documentedHeaders: ['authorization'],
  answers: { 200: anything() },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { operationStreams },
  errors: { CONCURRENCY_LIMIT: 'The user has reached the limit of open streams.' },
  async handle({ params, query, ctx, use }) {
    const last = Number(ctx.header('last-event-id') ?? 0);
    // If both are given, the larger start applies (platform V-6).
    const from = Math.max(query.from_sequence ?? 0, Number.isSafeInteger(last) ? last + 1 : 1);
    const start = Math.min(from, maxSequence);
    return use.operationStreams.open(ctx.caller, params.operation_id, start, ctx.signal);
  },
});
