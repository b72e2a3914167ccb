import { defineRoute } from '../define/route.ts';
import { operations } from '../jobs/operations.ts';
import { openObject } from '../schema/model.ts';

export default defineRoute({
  name: 'cancel-operation',
  path: 'DELETE /v1/operations/{operation_id}',
  summary: 'Cancels an operation that has not ended.',
  openapi: { id: 'cancel_operation', tag: 'operations' },
  category: 'tasks',
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  answers: { 200: openObject() },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [409],
  services: { operations },
  errors: { INVALID_STATE: 'The operation has already ended.' },
  async handle({ params, ctx, use }) {
    const row = await use.operations.cancel(ctx.caller, params.operation_id, 'user_cancelled');
    return { operation_id: row.id, status: 'cancelled', cancelled: true, message: 'The operation was canceled.' };
  },
});
