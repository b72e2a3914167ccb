import { type RawBuilder, type Store, StoreError, type Transaction } from '@pacioli/core';

/** Runs before each statement; an error it throws becomes the failure of the statement. */
export type StatementHook = (statement: string, tx: Transaction) => Promise<void>;

/** Lets a test interfere with the transactions of a store; undefined does nothing. */
export interface Interference {
  beforeStatement: StatementHook | undefined;
}

/**
 * Intercepts the statements between a service and its store. The embedded store has one session, in which no caller
 * ever waits for another; this lets a test play the caller who holds a lock, or who was faster.
 */
export function interfereWith(store: Store): Interference {
  const interference: Interference = { beforeStatement: undefined };
  const { transaction } = store;
  store.transaction = (scope, work, options) =>
    transaction.call(store, scope, (tx) => work(watched(tx, interference)), options) as ReturnType<typeof work>; // The result type is that of `work`.
  return interference;
}

function watched(tx: Transaction, interference: Interference): Transaction {
  return {
    scope: tx.scope,
    get graphId() {
      return tx.graphId;
    },
    query: async (statement) => {
      await interference.beforeStatement?.(textOf(statement), tx);
      return tx.query(statement);
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
    queryAtEnd: (statement) => tx.queryAtEnd(statement),
  };
}

/** Joins the text of a statement with that of its parts, without values. */
function textOf(statement: RawBuilder<unknown>): string {
  const texts: string[] = [];
  JSON.stringify(statement.toOperationNode(), (key, value: unknown) => {
    if (key === 'sqlFragments' && Array.isArray(value)) texts.push(...value);
    return typeof value === 'bigint' ? null : value;
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ');
}

/** Matches statements that lock a row or a month, or that write a row of the books. */
const locking =
  /pg_advisory_xact_lock|for (no key )?update|for (key )?share|(insert into|update|delete from) (ledger|taxonomy|blocks)_/i;

/**
 * Fails the first statement that locks or writes, as if another caller held the lock until the timeout (ledger L-9).
 */
export const failWithLockTimeout: StatementHook = async (statement) => {
  if (locking.test(statement)) throw new StoreError('lock-timeout', 'Another transaction holds the lock.');
};

/** Runs `work` once, right before the period lock: between an operation's first read and the one under the lock. */
export function beforePeriodLock(work: (tx: Transaction) => Promise<unknown>): StatementHook {
  let isDone = false;
  return async (statement, tx) => {
    if (isDone || !statement.includes('pg_advisory_xact_lock')) return;
    isDone = true;
    await work(tx);
  };
}
