import { S3ServiceException } from '@aws-sdk/client-s3';
import { FileStoreError } from '@pacioli/core/ports';

/** True if the store says that it has no such object; a missing bucket is a failure of the store. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  return error.$metadata.httpStatusCode === 404;
}

/** The failure for callers, without the address or the bucket; the cause has them for the log. */
export function failureOf(error: unknown, signal?: AbortSignal): FileStoreError {
  if (error instanceof FileStoreError) return error;
  if (signal?.aborted === true) return new FileStoreError('cancelled', 'The transfer was cancelled.', { cause: error });
  return new FileStoreError('unavailable', 'Files cannot be stored or read now: retry later.', { cause: error });
}
