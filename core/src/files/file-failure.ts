import { ServiceError } from '../errors/service-error.ts';
import { isFileStoreError } from '../store/file-store.ts';

/** The error code of every part that uses the file store, for its documents. */
export const fileErrors = {
  FILES_UNAVAILABLE: { kind: 'unavailable', meaning: 'Files cannot be stored or read now, or the host stores none.' },
} as const;

/** Converts a failure of the file store that callers cannot mend; returns other errors unchanged. */
export function fileFailure(error: unknown): unknown {
  if (!isFileStoreError(error) || error.code !== 'unavailable') return error;
  const headers = { 'Retry-After': '30' };
  return new ServiceError('unavailable', 'FILES_UNAVAILABLE', error.message, { cause: error, headers });
}
