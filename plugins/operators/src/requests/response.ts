import { type RunState, ServiceError } from '@pacioli/core';
import type { OperatorMode } from '../catalog/index.ts';
import type { OperatorResponse } from '../models/OperatorResponse.ts';
import { objectIn } from '../tools/index.ts';
import type { OperatorRunInput } from './run-input.ts';

const fields = [
  'content',
  'operator_used',
  'mode_used',
  'metadata',
  'tokens_used',
  'confidence_score',
  'operation_id',
  'is_partial',
  'error_details',
  'execution_time',
  'timestamp',
] as const;

/**
 * The response to a caller who waited: the result of the run, or the error that ended it (ai-surface OP-13). Throws 402
 * for a run whose first model call could not be paid for, as the check before the run does (ai-surface OP-43).
 */
export function responseOf(
  { status, result, error, error_details: details }: RunState,
  operationId: string,
  { operator_type, mode }: Pick<OperatorRunInput, 'operator_type'> & { readonly mode: OperatorMode },
): OperatorResponse {
  const stored = objectIn(result);
  if (typeof stored['content'] === 'string')
    return Object.fromEntries(fields.map((field) => [field, stored[field]])) as OperatorResponse; // Checked when stored.
  const message = error ?? 'The run was canceled.';
  const { code, ...more } = objectIn(details);
  if (code === 'INSUFFICIENT_CREDITS')
    throw new ServiceError('payment_required', code, message, { fields: { ...more, operation_id: operationId } });
  return {
    content: message,
    operator_used: operator_type,
    mode_used: mode,
    operation_id: operationId,
    confidence_score: 0,
    is_partial: true,
    error_details:
      status === 'cancelled' ? { code: 'CANCELLED', message } : { ...more, code: code ?? 'OPERATION_FAILED', message },
  };
}
