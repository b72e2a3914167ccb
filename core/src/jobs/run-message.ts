import type { OperationRow } from './operations.ts';

/** Returns one sentence that says what a run does or how it ended (platform L-17). */
export function messageOf(row: OperationRow): string {
  if (row.status === 'failed') return row.error ?? 'The operation failed.';
  if (row.status === 'awaiting_input') return 'Waiting for your answer.';
  const progress = row.progress?.['message'];
  if (row.status === 'running' && typeof progress === 'string') return progress;
  return `The operation is ${row.status}.`;
}
