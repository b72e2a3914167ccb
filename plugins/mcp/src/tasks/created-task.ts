import type { CallToolResult } from '@modelcontextprotocol/server';
import type { StreamAnswer, ToolResult, ToolRuns, ToolScope } from '@pacioli/core';
import type { Answer } from '../protocol/index.ts';
import { taskOf } from './task.ts';

/** The result of a call that has started a run; undefined if there is no run that the caller can follow. */
export async function createdTask(
  runs: ToolRuns,
  scope: ToolScope,
  { operationId, isPending }: ToolResult,
): Promise<(CallToolResult & { readonly resultType: 'task' }) | undefined> {
  if (operationId === undefined || isPending !== true) return undefined;
  const run = await runs.find(scope, operationId);
  return run === undefined ? undefined : { ...taskOf(run), resultType: 'task', content: [] };
}

/** Removes the empty content, which the official package requires in every result of a call. */
export function withoutContent(answer: Answer | StreamAnswer): Answer | StreamAnswer {
  if (answer.kind !== 'answer' || answer.json === undefined) return answer;
  const message = JSON.parse(answer.json) as { readonly result?: { readonly resultType?: unknown } };
  if (message.result?.resultType !== 'task') return answer;
  return { ...answer, json: JSON.stringify({ ...message, result: { ...message.result, content: undefined } }) };
}
