import { isServiceError } from '../errors/service-error.ts';
import { StoreError } from '../store/store.ts';

/** Returns code and message of a deliberate error; undefined for any other (platform E-22). */
export function knownFailure(error: unknown): { readonly code: string; readonly message: string } | undefined {
  if (isServiceError(error) && error.kind !== 'internal') {
    return { code: error.code === 'INVALID_INPUT' ? 'INVALID_ARGUMENT' : error.code, message: error.message };
  }
  if (error instanceof StoreError && error.code === 'statement-timeout') {
    return {
      code: 'STATEMENT_TIMEOUT',
      message: 'The statement took too long and was stopped. Narrow the request and try again.',
    };
  }
  if (error instanceof StoreError && error.code === 'value') {
    return {
      code: 'INVALID_ARGUMENT',
      message: 'An argument has a character that cannot be stored, or is out of range.',
    };
  }
  return undefined;
}
