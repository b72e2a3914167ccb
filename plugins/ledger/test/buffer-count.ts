import { type RawBuilder, type Store, sql, type Transaction } from '@pacioli/core';

export interface BufferCount {
  /** The buffers that the statements of a call touched. */
  of(call: () => Promise<unknown>): Promise<number>;
}

/** Explains each statement of a call in a graph before it runs; reads give the same result twice. */
export function countBuffers(store: Store): BufferCount {
  let touched: number | undefined;
  const { transaction } = store;
  const explained = async (tx: Transaction, statement: RawBuilder<unknown>): Promise<void> => {
    if (touched === undefined || tx.scope === 'kernel') return;
    const [row] = await tx.query(
      sql<{
        readonly 'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[];
      }>`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('An explained statement has a plan.');
    touched += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  store.transaction = (scope, work, options) =>
    transaction.call(
      store,
      scope,
      (tx) =>
        work({
          scope: tx.scope,
          get graphId() {
            return tx.graphId;
          },
          query: async (statement) => {
            await explained(tx, statement);
            return tx.query(statement);
          },
          tables: () => tx.tables(),
          async *stream(statement, rowsPerBatch) {
            await explained(tx, statement);
            yield* tx.stream(statement, rowsPerBatch);
          },
          queryAtEnd: (statement) => tx.queryAtEnd(statement),
        }),
      options,
    ) as ReturnType<typeof work>; // The call resolves to the result of `work`, which `call` does not infer.
  return {
    of: async (call) => {
      touched = 0;
      await call();
      const count = touched;
      touched = undefined;
      return count;
    },
  };
}
