import { ProtocolError, ProtocolErrorCode, type Server, type StandardSchemaV1Sync } from '@modelcontextprotocol/server';
import { isServiceError, type ToolRun, type ToolRuns, type ToolScope } from '@pacioli/core';
import { canAsk, objectOf } from '../protocol/index.ts';
import { requireTasks } from './extension.ts';
import { detailedTaskOf } from './task.ts';

interface TaskParams {
  readonly taskId: string;
}

/** The endpoint says which parameter is at fault (ai-surface M-7). */
const params: StandardSchemaV1Sync<TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'pacioli',
    validate: (value) => {
      const { taskId } = objectOf(value);
      return typeof taskId === 'string' ? { value: { taskId } } : { issues: [{ message: 'taskId must be a string' }] };
    },
  },
};

/** Adds the methods that read, feed and cancel tasks (ai-surface M-20e). */
export function addTaskMethods(server: Server, runs: ToolRuns, scope: ToolScope): void {
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    const run = await found(runs.find(scope, taskId));
    return detailedTaskOf(run, canAsk(ctx));
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    await found(runs.cancel(scope, taskId));
    return {};
  });
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, ctx) => {
    requireTasks(ctx);
    const { inputResponses } = ctx.mcpReq;
    if (inputResponses === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid params: inputResponses must be an object');
    const { question } = await found(runs.find(scope, taskId));
    // Responses to other questions are ignored: they were answered before, or never asked.
    const response = question === undefined ? undefined : inputResponses[question.id];
    if (question !== undefined && response !== undefined)
      await respond({ runs, scope, taskId, questionId: question.id }, response);
    return {};
  });
}

interface Asked {
  readonly runs: ToolRuns;
  readonly scope: ToolScope;
  readonly taskId: string;
  readonly questionId: string;
}

/** A person who declines ends the operation, which has no other way on; one who dismisses the form leaves it waiting. */
async function respond({ runs, scope, taskId, questionId }: Asked, response: unknown): Promise<void> {
  const { action, content } = objectOf(response);
  if (action === 'accept') await found(runs.answer(scope, taskId, { questionId, input: objectOf(content) }));
  else if (action === 'decline') await found(runs.cancel(scope, taskId));
  else if (action !== 'cancel')
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid params: the action of ${questionId} must be accept, decline or cancel`,
    );
}

/** The run of a task; every id that names no task of this caller here has the same refusal. */
async function found(reading: Promise<ToolRun | undefined>): Promise<ToolRun> {
  const run = await reading.catch((error: unknown) => {
    if (!isServiceError(error) || !['forbidden', 'invalid_input'].includes(error.kind)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  });
  if (run === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task. It may have expired.');
  return run;
}
