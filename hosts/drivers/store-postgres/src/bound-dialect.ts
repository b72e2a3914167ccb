import assert from 'node:assert/strict';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

/** Runs one compiled statement on the connection of a transaction. */
export type Execute = (compiled: CompiledQuery) => Promise<QueryResult<unknown>>;

const startsTransaction = 'This builder is inside a transaction of the store already; use the one it came from.';

function boundDriver(execute: Execute): Driver {
  const connection: DatabaseConnection = {
    // Kysely infers row types from the statement, so the driver cannot check them.
    executeQuery: <R>(compiled: CompiledQuery) => execute(compiled) as Promise<QueryResult<R>>,
    streamQuery: () => assert.fail('Read large results with the stream of the transaction.'),
  };
  const refuse = async (): Promise<void> => assert.fail(startsTransaction);
  const nothing = async (): Promise<void> => undefined;
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: nothing,
    destroy: nothing,
  };
}

/** A Kysely instance over one connection whose transaction the caller begins, commits and releases. */
export function boundKysely<Tables>(execute: Execute): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => boundDriver(execute),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}
