import { ServiceError } from '@pacioli/core';
import { AssemblyError } from '@pacioli/core/assembly';
import { StoreError } from '@pacioli/core/ports';
import { ImportError, JournalError } from '@pacioli/import-beancount/client';
import { CreationError } from 'create-pacioli-plugin';
import { StartUpError } from './start-up-error.ts';

/** Prints errors that an operator can fix as one line, all others with their stack. Returns the exit code. */
export function reportProblem(error: unknown): number {
  if (error instanceof StartUpError) {
    console.error(error.message);
    return error.exitCode;
  }
  if (
    error instanceof ServiceError ||
    error instanceof StoreError ||
    error instanceof JournalError ||
    error instanceof ImportError ||
    error instanceof AssemblyError ||
    error instanceof CreationError
  ) {
    console.error(error.message);
    return 1;
  }
  console.error(error);
  return 1;
}
