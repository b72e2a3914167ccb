import { sql } from '@pacioli/core';
import { bookVerifier, ledgerLog } from '../src/index.ts';
import { type Books, entry, type Loose } from './books.ts';
import { recorded } from './close-books.ts';
import { service } from './close-stage.ts';

export const inGraph = <T>(book: Books, statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));

export const seal = (book: Books) =>
  service.store.transaction({ graphId: book.graph }, async (tx) => {
    const log = service.service.services.resolve(ledgerLog);
    for (;;) if ((await log.seal(tx)) === 0) return log.head(tx);
  });

export const verify = async (book: Books): Promise<readonly string[]> => {
  const found = await service.store.transaction(
    { graphId: book.graph },
    (tx) => service.service.services.resolve(bookVerifier).verify(tx),
    { readOnly: true },
  );
  return found.map(({ rule, offenders }) => `${rule}: ${offenders.join(' ')}`);
};

export interface LogRow {
  readonly id: number;
  readonly seq: number | null;
  readonly kind: string;
  readonly subject_id: string;
  readonly payload: Loose;
}

export const rowsOf = (book: Books): Promise<readonly LogRow[]> =>
  inGraph(book, sql<LogRow>`SELECT id, seq, kind, subject_id, payload FROM ledger_log ORDER BY id`);

export const entriesOf = (book: Books, event: string) =>
  inGraph(
    book,
    sql<{ id: string; version: number }>`SELECT id, version FROM ledger_entry WHERE event_id = ${event} ORDER BY id`,
  );

export const posted = (book: Books, date: string, cents: number): Promise<Loose> =>
  recorded(
    book,
    entry(book, date, [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ]),
  );
