import { StoreError, sql, type Transaction } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';

/** Runs the work while another transaction holds the lock of a report. */
export async function withReportLocked<T>(
  service: TestService,
  held: { readonly graphId: string; readonly reportId: string },
  work: () => Promise<T>,
): Promise<T> {
  if (service.store.driver === 'postgres') {
    return service.store.transaction({ graphId: held.graphId }, async (tx) => {
      await tx.query(sql`select from reporting_report where id = ${held.reportId} for update`);
      return work();
    });
  }
  // The embedded store has one session, so no other transaction can hold a lock; the statement that takes it fails as it
  // would on a server.
  const refuse = (text: string): void => {
    if (text.includes('for update of r nowait') && text.includes(held.reportId)) {
      throw new StoreError('lock-timeout', 'Another transaction holds a lock.');
    }
  };
  return observed(service, refuse, work);
}

/** The number of statements that the service sends for the work in the scope of a graph, without those of its jobs. */
export async function statementsOf(service: TestService, work: () => Promise<unknown>): Promise<number> {
  let statements = 0;
  await observed(
    service,
    () => {
      statements += 1;
    },
    work,
  );
  return statements;
}

/** Calls `before` with each statement, values included, before it runs. */
async function observed<T>(
  { store }: TestService,
  before: (statement: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const { transaction } = store;
  store.transaction = (scope, inside, options) =>
    // The call resolves to the result of `inside`, which `call` does not infer.
    transaction.call(
      store,
      scope,
      (tx) => inside(scope === 'kernel' ? tx : observing(tx, before)),
      options,
    ) as ReturnType<typeof inside>;
  try {
    return await work();
  } finally {
    store.transaction = transaction;
  }
}

function observing(tx: Transaction, before: (statement: string) => void): Transaction {
  return {
    scope: tx.scope,
    get graphId() {
      return tx.graphId;
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => {
      before(textOf(statement));
      return tx.stream(statement, rowsPerBatch);
    },
    queryAtEnd: (statement) => tx.queryAtEnd(statement),
    query: async (statement) => {
      before(textOf(statement));
      return tx.query(statement);
    },
  };
}

function textOf(statement: Parameters<Transaction['query']>[0]): string {
  return JSON.stringify(statement.toOperationNode(), (_key, value: unknown) =>
    typeof value === 'bigint' ? null : value,
  );
}
