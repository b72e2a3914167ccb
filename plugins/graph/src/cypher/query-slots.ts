import { createToken, ServiceError, type Token } from '@pacioli/core';

/** The most statements of one user that run or wait at once in this process (graphs L-8). */
export const maxQueriesPerUser = 10;

/** The refusal of graphs L-8. */
export function tooManyQueries(): ServiceError {
  const message = 'Too many concurrent queries. Please wait for existing queries to complete.';
  return new ServiceError('rate_limited', 'CONCURRENCY_LIMIT', message, { headers: { 'Retry-After': '2' } });
}

/** Counts the running statements of each user, so that one user cannot take all connections of the engine. */
export class QuerySlots {
  readonly #running = new Map<string, number>();

  /**
   * Takes a slot and returns a function that releases it; it may be called more than once. Throws 429 at the limit.
   */
  take(userId: string): () => void {
    const running = this.#running.get(userId) ?? 0;
    if (running >= maxQueriesPerUser) {
      throw tooManyQueries();
    }
    this.#running.set(userId, running + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left === 0) this.#running.delete(userId);
      else this.#running.set(userId, left);
    };
  }
}

export const querySlots: Token<QuerySlots> = createToken('graph.query-slots');
