import assert from 'node:assert/strict';
import type { Scope, Transaction } from '@pacioli/core/ports';
import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely';
import type pg from 'pg';
import { boundKysely } from './bound-dialect.ts';
import type { StatementGate } from './statement-gate.ts';
import type { StatementNames } from './statement-names.ts';
import { toStoreError } from './store-error.ts';

const maxRowsPerBatch = 50_000;
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** SQLSTATE in_failed_sql_transaction: an earlier statement of the transaction failed. */
const abortedSqlState = '25P02';

export interface TransactionParts {
  readonly scope: Scope;
  readonly client: pg.PoolClient;
  /** The SQL that begins it, sent with the first statement, because a round trip costs as much as a statement. */
  readonly begin: string;
  readonly gate: StatementGate;
  readonly names: StatementNames;
  /** Compiles statements of the `sql` tag; never runs one. */
  readonly compiler: Kysely<unknown>;
  /** True when the session accepts a statement before it has answered the previous one (pipelining). */
  readonly pipelines: boolean;
}

/** The store's side of a transaction: the interface for parts, and the end that only the store may call. */
export class OpenTransaction implements Transaction {
  readonly scope: Scope;
  readonly #client: pg.PoolClient;
  readonly #gate: StatementGate;
  readonly #names: StatementNames;
  readonly #compiler: Kysely<unknown>;
  #builder: Kysely<unknown> | undefined;
  readonly #pipelines: boolean;
  #latest: Promise<unknown> = Promise.resolve();
  readonly #begin: string;
  #begun: Promise<unknown> | undefined;
  #last: CompiledQuery | undefined;
  /** The root error of the transaction; a later rollback to a savepoint may have undone it. */
  #failure: unknown;
  #cursors = 0;
  #isOpen = true;

  constructor({ scope, client, begin, gate, names, compiler, pipelines }: TransactionParts) {
    this.scope = scope;
    this.#client = client;
    this.#begin = begin;
    this.#gate = gate;
    this.#names = names;
    this.#compiler = compiler;
    this.#pipelines = pipelines;
  }

  get graphId(): string {
    if (this.scope === 'kernel')
      throw new Error('This transaction has the scope of the kernel, not of a graph. Open it with { graphId }.');
    return this.scope.graphId;
  }

  async query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]> {
    const result = await this.#run(statement.compile(this.#compiler));
    // The author of the statement declares the row type.
    return result.rows as Row[];
  }

  tables<Tables>(): Kysely<Tables> {
    this.#builder ??= boundKysely<unknown>((compiled) => this.#run(compiled));
    // The plugin declares the table types; the builder is the same for all plugins.
    return this.#builder as Kysely<Tables>;
  }

  async *stream<Row>(statement: RawBuilder<Row>, rowsPerBatch: number): AsyncIterable<readonly Row[]> {
    assert(
      Number.isInteger(rowsPerBatch) && rowsPerBatch > 0 && rowsPerBatch <= maxRowsPerBatch,
      `A batch has between 1 and ${maxRowsPerBatch} rows.`,
    );
    const compiled = statement.compile(this.#compiler);
    this.#gate.check(compiled.sql);
    const cursor = `pacioli_${++this.#cursors}`;
    await this.#send(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${compiled.sql}`, compiled.parameters);
    const fetch = (): Promise<pg.QueryResult> => {
      const batch = this.#send(`FETCH ${rowsPerBatch} FROM ${cursor}`, []);
      batch.catch(() => undefined); // Reported when it is read.
      return batch;
    };
    try {
      let next = fetch();
      for (;;) {
        const { rows } = await next;
        const isLast = rows.length < rowsPerBatch;
        // The engine reads the next batch while the caller works on this one.
        if (!isLast) next = fetch();
        // As in `query`, the author of the statement declares the row type.
        if (rows.length > 0) yield rows as Row[];
        if (isLast) break;
      }
    } finally {
      // After a failed statement the cursor is gone; the error of CLOSE would hide the first error.
      await this.#send(`CLOSE ${cursor}`, []).catch(() => undefined);
    }
  }

  queryAtEnd(statement: RawBuilder<unknown>): void {
    assert(this.#isOpen && this.#last === undefined, 'A transaction has one last statement, and nothing after it.');
    const compiled = statement.compile(this.#compiler);
    this.#gate.check(compiled.sql);
    // If pg rejected a value, the COMMIT sent in the same packet would still run.
    assert(
      compiled.parameters.every(isPlain),
      'The last statement takes texts, numbers, truth values, dates, bytes and nulls.',
    );
    this.#last = compiled;
  }

  /**
   * Commits after all pending statements. None may run later: a retained handle would otherwise run statements in the
   * next tenant's transaction.
   */
  async commit(): Promise<void> {
    await this.#latest;
    this.#isOpen = false;
    // Without a statement there is nothing to commit.
    if (this.#begun === undefined && this.#last === undefined) return;
    await this.#beginNow();
    const last = this.#last;
    // After a failed statement the server answers COMMIT with ROLLBACK, so both can be sent at once.
    const [said, end] = await this.#inOnePacket(() => [
      last === undefined ? undefined : this.#sendNow(last.sql, last.parameters, this.#names.nameOf(last.sql)),
      this.#client.query('COMMIT'),
    ]);
    if (said.status === 'rejected') throw said.reason;
    if (end.status === 'rejected') throw end.reason;
    // PostgreSQL answers COMMIT with ROLLBACK when a statement failed and the work ignored the error.
    assert(end.value.command === 'COMMIT', 'A statement failed and its error was ignored, so nothing was committed.');
  }

  /**
   * Ends a read. Its rows are there, and no answer to COMMIT changes them, so the caller does not wait for the answer,
   * which takes as long as a short statement; after a failed statement it does. `ended` settles when the session is free.
   */
  async commitRead(): Promise<{ readonly ended: Promise<void> }> {
    await this.#latest;
    const ended = this.commit();
    if (this.#failure !== undefined || this.#last !== undefined) await ended;
    ended.catch(() => undefined); // The caller handles a failure of `ended`; this only marks it as handled here.
    return { ended };
  }

  /** Rejects further statements and rolls back; returns false when the session must not be reused. */
  async rollBack(): Promise<boolean> {
    await this.#latest;
    this.#isOpen = false;
    if (this.#begun === undefined) return true;
    try {
      await this.#client.query('ROLLBACK');
      return true;
    } catch {
      // The connection is lost, which rolls the transaction back.
      return false;
    }
  }

  async #run(compiled: CompiledQuery): Promise<QueryResult<unknown>> {
    this.#gate.check(compiled.sql);
    const { command, rowCount, rows } = await this.#send(
      compiled.sql,
      compiled.parameters,
      this.#names.nameOf(compiled.sql),
    );
    if (!changing.has(command)) return { rows };
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /**
   * Pipelines statements that are submitted before an earlier one is answered, where the session supports it. The
   * server runs them in order, and rejects the rest after a failed one.
   */
  #send(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    // Evaluated now, because the last statement may be submitted while this one still waits in the queue.
    const isLate = this.#last !== undefined;
    const send = async (): Promise<pg.QueryResult> => {
      assert(this.#isOpen, 'The transaction has ended. Await every statement before its work returns.');
      assert(!isLate, 'The last statement of the transaction was given already.');
      return this.#sendNow(text, parameters, name);
    };
    const answer = this.#pipelines ? send() : this.#latest.then(send);
    // Chained to the earlier statements, because an assertion settles at once while they are still running. Without their
    // results, which would otherwise hold all rows of the transaction in memory until it ends.
    this.#latest = Promise.allSettled([this.#latest, answer]).then(() => undefined);
    return answer;
  }

  async #sendNow(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    // The extended protocol accepts one statement only, so a text cannot smuggle a second one past the gate.
    // pg's types do not know queryMode yet.
    const query = { text, values: [...parameters], name, queryMode: 'extended' } as pg.QueryConfig;
    const [start, result] = await this.#inOnePacket(() => [this.#beginNow(), this.#client.query(query)]);
    if (start.status === 'rejected') {
      // The statement ran outside of any transaction and scope: none may follow or be reported as successful.
      this.#isOpen = false;
      this.#failure ??= toStoreError(start.reason);
      throw this.#failure;
    }
    if (result.status === 'rejected') throw this.#failureOf(result.reason);
    return result.value;
  }

  /** The server rejects all statements after a failed one without the reason, so they report its error instead. */
  #failureOf(reason: unknown): unknown {
    const isBehindFailure = reason instanceof Error && 'code' in reason && reason.code === abortedSqlState;
    if (isBehindFailure && this.#failure !== undefined) return this.#failure;
    this.#failure = toStoreError(reason);
    return this.#failure;
  }

  /**
   * Sends BEGIN once and returns its outcome to every statement. If it fails, the statements sent with it run without
   * a scope, for which the policies hide the rows of every tenant.
   */
  #beginNow(): Promise<unknown> {
    this.#begun ??= this.#client.query(this.#begin);
    return this.#begun;
  }

  /**
   * Sends messages in one packet, together with statements submitted in the same tick, because a socket write costs
   * more than executing a statement of a small transaction.
   */
  #inOnePacket<First, Second>(
    send: () => readonly [Promise<First> | undefined, Promise<Second>],
  ): Promise<[PromiseSettledResult<First | undefined>, PromiseSettledResult<Second>]> {
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      return Promise.allSettled(send());
    } finally {
      process.nextTick(() => stream.uncork());
    }
  }
}

function isPlain(value: unknown): boolean {
  if (value === null || value instanceof Date || value instanceof Uint8Array) return true;
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
