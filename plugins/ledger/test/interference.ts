import { type RawBuilder, type Store, StoreError, type Transaction } from '@pacioli/core';

/** What happens beside a statement before it runs; what it throws is what the statement fails with. */
export type Meddle = (statement: string, tx: Transaction) => Promise<void>;

/** Lets a test meddle with the transactions of a store; undefined leaves them alone. */
export interface Interference {
  meddle: Meddle | undefined;
}

/**
 * Puts a hand between a service and its store. The embedded store has one session, in which no caller ever waits for
 * another; with this a test plays the caller who holds a lock, or who was faster.
 */
export function interfereWith(store: Store): Interference {
  const hand: Interference = { meddle: undefined };
  const { transaction } = store;
  store.transaction = (scope, work, options) =>
    transaction.call(store, scope, (tx) => work(watched(tx, hand)), options) as ReturnType<typeof work>; // The work's own result.
  return hand;
}

function watched(tx: Transaction, hand: Interference): Transaction {
  return {
    scope: tx.scope,
    query: async (statement) => {
      await hand.meddle?.(textOf(statement), tx);
      return tx.query(statement);
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => tx.stream(statement, rowsPerBatch),
    queryAtEnd: (statement) => tx.queryAtEnd(statement),
  };
}

/** The text of a statement with that of its parts; values are left out. */
function textOf(statement: RawBuilder<unknown>): string {
  const texts: string[] = [];
  JSON.stringify(statement.toOperationNode(), (key, value: unknown) => {
    if (key === 'sqlFragments' && Array.isArray(value)) texts.push(...value);
    return typeof value === 'bigint' ? null : value;
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ');
}

/** Locks a row or a month, or writes a row of the books. */
const locking =
  /pg_advisory_xact_lock|for (no key )?update|for (key )?share|(insert into|update|delete from) (ledger|taxonomy|blocks)_/i;

/** Whoever locks or writes something first waits for somebody else until the store gives up (ledger L-9). */
export const lockedOut: Meddle = async (statement) => {
  if (locking.test(statement)) throw new StoreError('lock-timeout', 'Somebody else holds the lock.');
};

/** Does something once, right before the months are fenced: after the first look of an operation, before its second. */
export function beforePeriodLock(work: (tx: Transaction) => Promise<unknown>): Meddle {
  let isDone = false;
  return async (statement, tx) => {
    if (isDone || !statement.includes('pg_advisory_xact_lock')) return;
    isDone = true;
    await work(tx);
  };
}
