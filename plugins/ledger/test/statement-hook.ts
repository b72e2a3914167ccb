import { type RawBuilder, type Store, StoreError, type Transaction } from '@pacioli/core';

/** Runs before each statement, given its text and itself; an error it throws becomes the failure of the statement. */
export type StatementHook = (text: string, tx: Transaction, statement: RawBuilder<unknown>) => Promise<void>;

/** The hook that a test currently runs before the statements of a store; undefined lets them pass. */
export interface Interference {
  beforeStatement: StatementHook | undefined;
}

/**
 * Intercepts the statements that a service sends to its store. The embedded store runs all callers in one session, so
 * real lock conflicts cannot occur; a hook simulates the other caller, who holds a lock or committed first.
 */
export function interfereWith(store: Store): Interference {
  const interference: Interference = { beforeStatement: undefined };
  const { transaction } = store;
  store.transaction = (scope, work, options) =>
    // The call resolves to the result of `work`, which `call` does not infer.
    transaction.call(store, scope, (tx) => work(intercepted(tx, interference)), options) as ReturnType<typeof work>;
  return interference;
}

/** Only `query` is intercepted; streams and the queued last statement pass through. */
function intercepted(tx: Transaction, interference: Interference): Transaction {
  return {
    scope: tx.scope,
    get graphId() {
      return tx.graphId;
    },
    query: async (statement) => {
      await interference.beforeStatement?.(textOf(statement), tx, statement);
      return tx.query(statement);
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
    queryAtEnd: (statement) => tx.queryAtEnd(statement),
  };
}

/** The SQL of a statement and its nested fragments, without parameter values. */
function textOf(statement: RawBuilder<unknown>): string {
  const texts: string[] = [];
  JSON.stringify(statement.toOperationNode(), (key, value: unknown) => {
    if (key === 'sqlFragments' && Array.isArray(value)) texts.push(...value);
    return typeof value === 'bigint' ? null : value;
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ');
}

/** Matches statements that lock a row or take an advisory lock, and writes to the tables of these three plugins. */
const lockingOrWriting =
  /pg_advisory_xact_lock|ledger_lock_events|for (no key )?update|for (key )?share|(insert into|update|delete from) (ledger|taxonomy|blocks)_/i;

/**
 * Fails the first statement that locks or writes, as if another caller held the lock until the timeout (ledger L-9).
 */
export const failWithLockTimeout: StatementHook = async (statement) => {
  if (lockingOrWriting.test(statement)) throw new StoreError('lock-timeout', 'Another transaction holds the lock.');
};

/**
 * Runs `work` once, right before the first advisory lock of any kind: it simulates a change by another caller between
 * an operation's first read and its second read under the lock.
 */
export function beforeFirstAdvisoryLock(work: (tx: Transaction) => Promise<unknown>): StatementHook {
  let isDone = false;
  return async (statement, tx) => {
    if (isDone || !statement.includes('pg_advisory_xact_lock')) return;
    isDone = true;
    await work(tx);
  };
}
