import { isServiceError } from '@pacioli/core';
import { StagingError, type StagingErrorCode } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { stageFailure, stagingFailure } from './stage-file.ts';

const answer = (error: unknown): string => (isServiceError(error) ? `${error.kind} ${error.code}` : 'internal');

describe('a failure of the staging store', () => {
  it.each([
    ['unreadable-file', 'refused FILE_UNREADABLE', 'internal'],
    ['rejected-rows', 'invalid_input ROWS_REJECTED', 'internal'],
    ['statement', 'invalid_input FILE_NOT_STAGED', 'internal'],
    ['memory', 'too_large STAGING_TOO_LARGE', 'unavailable STAGING_UNAVAILABLE'],
    ['timeout', 'timeout STAGING_TIMEOUT', 'unavailable STAGING_UNAVAILABLE'],
    ['cancelled', 'unavailable STAGING_UNAVAILABLE', 'unavailable STAGING_UNAVAILABLE'],
    ['unavailable', 'unavailable STAGING_UNAVAILABLE', 'unavailable STAGING_UNAVAILABLE'],
  ] as const)(
    'of the code %s asks to retry only where that helps (graphs F-8)',
    (code: StagingErrorCode, file, table) => {
      const error = new StagingError(code, 'It went wrong.');
      expect([answer(stageFailure(error)), answer(stagingFailure(error))]).toEqual([file, table]);
    },
  );
});
