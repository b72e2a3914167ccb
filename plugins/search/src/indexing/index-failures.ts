import type { Log } from '@pacioli/core';
import { SearchIndexError } from '@pacioli/core/ports';

const maxIndexMs = 30_000;

/** The options of one call of the index, which has to answer in time. */
export const limited = (signal: AbortSignal) => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(maxIndexMs)]),
});

/** Does work of the index; returns its failure, which is logged. */
export async function attempt(log: Log, work: () => Promise<void>): Promise<SearchIndexError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    log.warn('the search index failed; it is tried again', { error });
    return failure;
  }
}

function failureOf(error: unknown): SearchIndexError | undefined {
  if (error instanceof SearchIndexError) return error;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? new SearchIndexError('The search index did not answer in time.') : undefined;
}
