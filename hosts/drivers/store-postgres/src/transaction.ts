import assert from 'node:assert/strict';
import type { Scope, Transaction } from '@pacioli/core/ports';
import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely';
import type pg from 'pg';
import { boundKysely } from './bound-dialect.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { StatementGate } from './statement-gate.ts';
import type { StatementNames } from './statement-names.ts';
import { toStoreError } from './store-error.ts';

const rowsPerBatch_max = 50_000;
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export interface TransactionParts {
  readonly scope: Scope;
  readonly client: pg.PoolClient;
  readonly gate: StatementGate;
  readonly names: StatementNames;
  /** Compiles statements that the `sql` tag wrote; it never runs one. */
  readonly compiler: Kysely<unknown>;
}

/** The store's side of a transaction: what parts see, and the end that only the store may call. */
export class OpenTransaction implements Transaction {
  readonly scope: Scope;
  readonly #client: pg.PoolClient;
  readonly #gate: StatementGate;
  readonly #names: StatementNames;
  readonly #compiler: Kysely<unknown>;
  #builder: Kysely<unknown> | undefined;
  readonly #turns = new OneAtATime();
  #cursors = 0;
  #isOpen = true;

  constructor({ scope, client, gate, names, compiler }: TransactionParts) {
    this.scope = scope;
    this.#client = client;
    this.#gate = gate;
    this.#names = names;
    this.#compiler = compiler;
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
      Number.isInteger(rowsPerBatch) && rowsPerBatch > 0 && rowsPerBatch <= rowsPerBatch_max,
      `A batch has between 1 and ${rowsPerBatch_max} rows.`,
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

  /**
   * Waits for statements under way, and lets none run after them: a handle that was kept would reach into the next
   * tenant's transaction.
   */
  async end(): Promise<void> {
    await this.#turns.idle();
    this.#isOpen = false;
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

  #send(text: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    return this.#turns.run(async () => {
      assert(this.#isOpen, 'The transaction has ended. Await every statement before its work returns.');
      // The extended protocol takes one statement only, so a text cannot smuggle a second one behind the gate.
      // pg's types do not know queryMode yet.
      const query = { text, values: [...parameters], name, queryMode: 'extended' } as pg.QueryConfig;
      try {
        return await this.#client.query(query);
      } catch (error) {
        throw toStoreError(error);
      }
    });
  }
}
