import { Type } from 'typebox';
import { answer, defineRoute } from '../define/route.ts';
import { operationLinks } from '../jobs/operation-links.ts';
import { operations } from '../jobs/operations.ts';
import { model, openObject } from '../schema/model.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';

export default defineRoute({
  name: 'resume-operation',
  path: 'POST /v1/operations/{operation_id}/resume',
  summary: 'Answers the question that an operation is waiting for.',
  openapi: { id: 'resume_operation', tag: 'operations' },
  category: 'tasks',
  auth: ['api-key', 'bearer'],
  scopedKeys: true,
  body: model('OperationResumeRequest', { input: Type.Optional(openObject()) }),
  answers: { 202: openObject() },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [409],
  services: { operations, settings: kernelSettings },
  errors: { INVALID_STATE: 'The operation is not waiting for an answer.' },
  async handle({ params, body, ctx, use }) {
    const row = await use.operations.resume(ctx.caller, params.operation_id, body.input ?? {});
    const { stream, status, cancel } = operationLinks(use.settings, row.id);
    return answer(202, {
      operation_id: row.id,
      status: 'pending',
      message: 'The answer was accepted; the operation continues.',
      _links: { stream, status, cancel },
    });
  },
});
