import { sql, type Transaction } from '@pacioli/core';
import { tamper as tamperStore } from '@pacioli/testing';
import { bookVerifier, ledgerLog } from '../src/index.ts';
import type { LedgerEntry, LedgerLog } from '../src/rows.gen.ts';
import { type Books, entry, type Loose } from './books.ts';
import { recorded } from './close-books.ts';
import { service } from './close-fixture.ts';

export const inGraph = <T>(book: Books, statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));

export const seal = (book: Books) =>
  service.store.transaction({ graphId: book.graph }, async (tx) => {
    const log = service.service.services.resolve(ledgerLog);
    for (;;) if ((await log.seal(tx)) === 0) return log.head(tx);
  });

export const inTransaction = <T>(book: Books, work: (tx: Transaction) => Promise<T>) =>
  service.store.transaction({ graphId: book.graph }, work);

export async function verifyIn(tx: Transaction): Promise<readonly string[]> {
  const found = await service.service.services.resolve(bookVerifier).verify(tx);
  return found.map(({ rule, offenders }) => `${rule}: ${offenders.join(' ')}`);
}

export const verify = (book: Books): Promise<readonly string[]> =>
  service.store.transaction({ graphId: book.graph }, verifyIn, { readOnly: true });

export type LogRow = Pick<LedgerLog, 'id' | 'kind' | 'subject_id'> & { readonly payload: Loose };

export const rowsOf = (book: Books): Promise<readonly LogRow[]> =>
  inGraph(book, sql<LogRow>`SELECT id, kind, subject_id, payload FROM ledger_log ORDER BY id`);

/** The rows of the log that no batch of the chain has yet. */
export const unsealedRows = (book: Books): Promise<readonly Pick<LogRow, 'id' | 'kind'>[]> =>
  inGraph(
    book,
    sql<LogRow>`SELECT l.id, l.kind FROM ledger_log AS l WHERE l.seq IS NULL AND NOT EXISTS (
      SELECT FROM kernel_chain_batch AS b WHERE b.graph_id = l.graph_id AND l.id <@ b.places) ORDER BY l.id`,
  );

/** The rows of the log, with those that the row of an event stands for after it. */
export const recordsOf = (book: Books): Promise<readonly Pick<LogRow, 'kind' | 'subject_id' | 'payload'>[]> =>
  inGraph(
    book,
    sql<LogRow>`
      SELECT r.kind, r.subject_id, r.payload FROM ledger_log AS l CROSS JOIN LATERAL (
        SELECT l.kind, l.subject_id, l.payload UNION ALL SELECT * FROM ledger_log_journal_rows(l.subject_id, l.payload)) AS r
      ORDER BY l.id, r.kind = 'entry_written', r.kind = 'transaction_added', r.subject_id`,
  );

export const entriesOf = (book: Books, event: string) =>
  inGraph(
    book,
    sql<
      Pick<LedgerEntry, 'id' | 'version'>
    >`SELECT id, version FROM ledger_entry WHERE event_id = ${event} ORDER BY id`,
  );

export const posted = (book: Books, date: string, cents: number): Promise<Loose> =>
  recorded(
    book,
    entry(book, date, [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ]),
  );

/** Runs SQL that no operation would run; `$graph` stands for the graph of the books. */
export const tamper = (book: Books, statement: string): Promise<void> =>
  tamperStore(service.store, statement.replaceAll('$graph', `'${book.graph}'`));
