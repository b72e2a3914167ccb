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

/** A statement of the transaction failed before. */
const abortedSqlState = '25P02';

export interface TransactionParts {
  readonly scope: Scope;
  readonly client: pg.PoolClient;
  /** The SQL that begins it. It travels with the first statement, because a round trip costs as much as a statement. */
  readonly begin: string;
  readonly gate: StatementGate;
  readonly names: StatementNames;
  /** Compiles statements that the `sql` tag wrote; it never runs one. */
  readonly compiler: Kysely<unknown>;
  /** The session accepts a statement before it has answered the one before. */
  readonly pipelines: boolean;
}

/** The store's side of a transaction: what parts see, and the end that only the store may call. */
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
  /** The error of the last statement that failed by itself; a rollback to a savepoint may have undone it since. */
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

  async query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]> {
    const result = await this.#run(statement.compile(this.#compiler));
    // The row type is what the author of the statement declares.
    return result.rows as Row[];
  }

  tables<Tables>(): Kysely<Tables> {
    this.#builder ??= boundKysely<unknown>((compiled) => this.#run(compiled));
    // The tables are what the plugin declares; the builder is the same for all of them.
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
    try {
      for (;;) {
        const { rows } = await this.#send(`FETCH ${rowsPerBatch} FROM ${cursor}`, []);
        // As in `query`, the author of the statement declares the row.
        if (rows.length > 0) yield rows as Row[];
        if (rows.length < rowsPerBatch) break;
      }
    } finally {
      // After a failed statement the transaction is aborted and the cursor is gone; CLOSE would hide the first error.
      await this.#send(`CLOSE ${cursor}`, []).catch(() => undefined);
    }
  }

  queryAtEnd(statement: RawBuilder<unknown>): void {
    assert(this.#isOpen && this.#last === undefined, 'A transaction has one last statement, and nothing after it.');
    const compiled = statement.compile(this.#compiler);
    this.#gate.check(compiled.sql);
    // A value that pg itself could refuse would not stop the commit that travels with it.
    assert(
      compiled.parameters.every(isPlain),
      'The last statement takes texts, numbers, truth values, dates and nulls.',
    );
    this.#last = compiled;
  }

  /**
   * Commits after the statements under way. None may run later: a handle that was kept would reach into the next
   * tenant's transaction.
   */
  async commit(): Promise<void> {
    await this.#latest;
    this.#isOpen = false;
    // Without a statement there is nothing to commit.
    if (this.#begun === undefined && this.#last === undefined) return;
    await this.#beginNow();
    const last = this.#last;
    // Behind a statement that fails COMMIT is answered with ROLLBACK, so both can be under way at once.
    const [said, end] = await this.#inOnePacket(() => [
      last === undefined ? undefined : this.#sendNow(last.sql, last.parameters, this.#names.nameOf(last.sql)),
      this.#client.query('COMMIT'),
    ]);
    if (said.status === 'rejected') throw said.reason;
    if (end.status === 'rejected') throw end.reason;
    // PostgreSQL answers COMMIT with ROLLBACK when a statement had failed and the work went on regardless.
    assert(end.value.command === 'COMMIT', 'A statement failed and its error was ignored, so nothing was committed.');
  }

  /** Lets no statement run any more, and undoes those that did; false when the session is not to be used again. */
  async rollBack(): Promise<boolean> {
    await this.#latest;
    this.#isOpen = false;
    if (this.#begun === undefined) return true;
    try {
      await this.#client.query('ROLLBACK');
      return true;
    } catch {
      // The connection is lost, and with it the transaction.
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
   * Statements that are given before an earlier one is answered travel with it, where the session accepts several at
   * once. It runs them in their order, and after one that fails refuses the others.
   */
  #send(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    // Asked now, because a statement that waits for its turn may be followed by the last one before it is sent.
    const isLate = this.#last !== undefined;
    const send = async (): Promise<pg.QueryResult> => {
      assert(this.#isOpen, 'The transaction has ended. Await every statement before its work returns.');
      assert(!isLate, 'The last statement of the transaction was given already.');
      return this.#sendNow(text, parameters, name);
    };
    const answer = this.#pipelines ? send() : this.#latest.then(send);
    // Chained to the earlier ones, because an assertion settles at once while they are still running.
    this.#latest = Promise.allSettled([this.#latest, answer]);
    return answer;
  }

  async #sendNow(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    // The extended protocol takes one statement only, so a text cannot smuggle a second one behind the gate.
    // pg's types do not know queryMode yet.
    const query = { text, values: [...parameters], name, queryMode: 'extended' } as pg.QueryConfig;
    const [start, result] = await this.#inOnePacket(() => [this.#beginNow(), this.#client.query(query)]);
    if (start.status === 'rejected') {
      // The statement ran outside of any transaction and any scope. None may follow, nor be reported as done.
      this.#isOpen = false;
      throw toStoreError(start.reason);
    }
    if (result.status === 'rejected') throw this.#failureOf(result.reason);
    return result.value;
  }

  /** The server refuses all statements after a failed one without saying why, so they report its error instead. */
  #failureOf(reason: unknown): unknown {
    const isBehindFailure = reason instanceof Error && 'code' in reason && reason.code === abortedSqlState;
    if (isBehindFailure && this.#failure !== undefined) return this.#failure;
    this.#failure = toStoreError(reason);
    return this.#failure;
  }

  /**
   * Sends the beginning of the transaction once, and returns its outcome to every statement. Where it fails, those that
   * travelled with it run without a scope, for which the policies hide the rows of every tenant.
   */
  #beginNow(): Promise<unknown> {
    this.#begun ??= this.#client.query(this.#begin);
    return this.#begun;
  }

  /**
   * Sends messages together, with those of statements that are given in the same turn: a write to a socket costs more
   * than what the statement of a small transaction does.
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
  return value === null || value instanceof Date || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
