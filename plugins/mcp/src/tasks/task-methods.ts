import { ProtocolError, ProtocolErrorCode, type Server, type StandardSchemaV1Sync } from '@modelcontextprotocol/server';
import { isServiceError, type ToolRun, type ToolRuns, type ToolScope } from '@pacioli/core';
import { canAsk, objectOf } from '../protocol/index.ts';
import { requireTasks } from './extension.ts';
import { detailedTaskOf } from './task.ts';

interface TaskParams {
  readonly taskId: string;
}

/** The parameters of the methods. The endpoint answers faults in them with a sentence (ai-surface M-7). */
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
    // Responses to other questions are ignored: those were answered before, or never asked.
    const response = question === undefined ? undefined : inputResponses[question.id];
    if (question !== undefined && response !== undefined)
      await respond({ runs, scope, taskId, questionId: question.id }, response);
    return {};
  });
}

interface OpenQuestion {
  readonly runs: ToolRuns;
  readonly scope: ToolScope;
  readonly taskId: string;
  readonly questionId: string;
}

/**
 * Applies the response of a person. Accepting resumes the run; declining cancels it, because it cannot continue without
 * an answer; dismissing the form leaves it waiting.
 */
async function respond({ runs, scope, taskId, questionId }: OpenQuestion, response: unknown): Promise<void> {
  const { action, content } = objectOf(response);
  if (action === 'accept') await found(runs.answer(scope, taskId, { questionId, input: objectOf(content) }));
  else if (action === 'decline') await found(runs.cancel(scope, taskId));
  else if (action !== 'cancel')
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid params: the action of ${questionId} must be accept, decline or cancel`,
    );
}

/** Awaits the run of a task. Every id that is no task of this caller on this graph gets the same refusal. */
async function found(reading: Promise<ToolRun | undefined>): Promise<ToolRun> {
  const run = await reading.catch((error: unknown) => {
    if (!isServiceError(error) || !['forbidden', 'invalid_input'].includes(error.kind)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  });
  if (run === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task. It may have expired.');
  return run;
}
