import { createToken } from '@pacioli/core';

/**
 * The statements of this process that may write to a subgraph, until they have ended. A statement reads which database
 * its subgraph has after it is counted here, so that a deletion that has hidden the subgraph and then waits for these
 * statements misses no write (graphs SG-13). An embedded database belongs to one process (graphs C-2), so the
 * statements of others need no wait.
 */
export class RunningStatements {
  readonly #running = new Map<string, Set<Promise<unknown>>>();

  track<T>(graphId: string, run: () => Promise<T>): Promise<T> {
    const statements = this.#running.get(graphId) ?? new Set();
    this.#running.set(graphId, statements);
    const statement = run().finally(() => {
      statements.delete(statement);
      if (statements.size === 0 && this.#running.get(graphId) === statements) this.#running.delete(graphId);
    });
    statements.add(statement);
    return statement;
  }

  /** Resolves when the statements that run on a subgraph at this moment have ended. */
  async ended(graphId: string): Promise<void> {
    await Promise.allSettled(this.#running.get(graphId) ?? []);
  }
}

export const runningStatements = createToken<RunningStatements>('graph.running-statements');
