import { defineRoute } from '../define/route.ts';
import { resultOf } from '../envelope/packed-result.ts';
import { terminalStates } from '../jobs/events.ts';
import { operationLinks } from '../jobs/operation-links.ts';
import { type OperationRow, operations } from '../jobs/operations.ts';
import { messageOf } from '../jobs/run-message.ts';
import { openObject } from '../schema/model.ts';
import { type KernelSettings, kernelSettings } from '../settings/kernel-settings.ts';

export default defineRoute({
  name: 'get-operation-status',
  path: 'GET /v1/operations/{operation_id}/status',
  summary: 'Returns the status of an operation: state, progress, question, result or error.',
  openapi: { id: 'get_operation_status', tag: 'operations' },
  category: 'tasks',
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  answers: { 200: openObject() },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { operations, settings: kernelSettings },
  async handle({ params, ctx, use }) {
    const row = await use.operations.find(ctx.caller, params.operation_id, 'read');
    const queue = row.status === 'pending' ? { queue: await use.operations.queuePosition(row) } : {};
    return { ...statusOf(row, use.settings), ...queue };
  },
});

/** Builds the status response of a run (platform L-17). */
function statusOf(row: OperationRow, settings: KernelSettings): Record<string, unknown> {
  const { stream, status, cancel, resume } = operationLinks(settings, row.id);
  const isOver = terminalStates.has(row.status);
  const isWaiting = row.status === 'awaiting_input';
  const result = resultOf(row);
  return {
    operation_id: row.id,
    operation_type: row.name,
    status: row.status,
    graph_id: row.graph_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    message: messageOf(row),
    ...(row.progress === null ? {} : { progress: row.progress }),
    ...(isWaiting ? { input_request: row.input_request } : {}),
    ...(isOver && result !== null ? { result } : {}),
    ...(row.status === 'failed' ? { error: row.error, error_details: row.error_details } : {}),
    _links: {
      stream,
      status,
      ...(isOver ? {} : { cancel }),
      ...(isWaiting ? { resume } : {}),
    },
  };
}
