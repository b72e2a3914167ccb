import { type InputRequests, inputRequired, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ToolQuestion, ToolRun } from '@pacioli/core';
import { callResultOf } from '../protocol/index.ts';

/** Two tasks take 24 of the 30 requests a minute that the smallest tier allows (platform R-4). */
const pollIntervalMs = 5_000;

type ElicitedSchema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

/** A run as a task, with the fields that the result of a call and `tasks/get` share (ai-surface M-20e). */
export function taskOf(run: ToolRun) {
  const { percent, question } = run;
  return {
    taskId: run.operationId,
    status: statusOf(run),
    statusMessage: question?.prompt ?? run.message,
    createdAt: run.createdAt.toISOString(),
    lastUpdatedAt: run.updatedAt.toISOString(),
    ttlMs: run.keptMs,
    pollIntervalMs,
    ...(percent === undefined ? {} : { _meta: { progress: { progress: percent, total: 100 } } }),
  };
}

/** A task with its question, for clients that can ask a person, or with its result. */
export function detailedTaskOf(run: ToolRun, canAsk: boolean) {
  return { ...taskOf(run), ...questionOf(run, canAsk), ...endOf(run) };
}

/** A run that failed with an error of its tool is completed; only a failure of the service is a failed task. */
function statusOf({ status, isServiceFailure }: ToolRun): string {
  if (status === 'pending' || status === 'running') return 'working';
  if (status === 'awaiting_input') return 'input_required';
  return status === 'failed' && isServiceFailure !== true ? 'completed' : status;
}

function endOf({ operationId, message, result, isServiceFailure }: ToolRun) {
  if (result === undefined) return {};
  if (isServiceFailure !== true) return { result: callResultOf(result) };
  return { error: { code: ProtocolErrorCode.InternalError, message, data: { operationId } } };
}

function questionOf({ question }: ToolRun, canAsk: boolean): { readonly inputRequests?: InputRequests } {
  if (question === undefined) return {};
  return { inputRequests: canAsk ? { [question.id]: elicitationOf(question) } : {} };
}

function elicitationOf({ prompt, schema }: ToolQuestion) {
  // The forms that clients show are schemas of objects, as those of questions are.
  const requestedSchema = (schema ?? { type: 'object', properties: {} }) as ElicitedSchema;
  return inputRequired.elicit({ message: prompt, requestedSchema });
}
