/** @module-tag sessions */
import { kernel, sql } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { type TestService, tamper } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleBooksAnew } from '../src/open-items/resettlement.ts';
import type { LedgerResettlement } from '../src/rows.gen.ts';
import { type Books, openBooks, startLedger } from './books.ts';
import { recordEvent, sale } from './receivable-books.ts';

let service: TestService;
let bad: Books;
beforeAll(async () => {
  const started = await startLedger();
  service = started.service;
  bad = await openBooks(started.user);
});
afterAll(async () => {
  await service.close();
});

const start = (signal = new AbortController().signal): Promise<void> =>
  settleBooksAnew({
    store: service.store,
    chart: service.service.services.resolve(chartOfAccounts),
    log: service.service.services.resolve(kernel.log),
    signal,
  });
const wait = (graphs: string): Promise<void> =>
  tamper(service.store, `INSERT INTO ledger_resettlement (graph_id) ${graphs}`);
const waiting = async (): Promise<readonly string[]> =>
  (
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql<Pick<LedgerResettlement, 'graph_id'>>`SELECT graph_id FROM ledger_resettlement ORDER BY graph_id`),
    )
  ).map(({ graph_id }) => graph_id);

describe('resettlement of books from earlier versions at start', () => {
  it('updates all waiting graphs, however many there are (ledger L-100)', async () => {
    await wait(`SELECT 'a_' || n FROM generate_series(1, 501) AS n`);
    await start();
    expect(await waiting()).toEqual([]);
  });

  it('fails with the name of a graph that cannot be updated, which keeps waiting (ledger L-100)', async () => {
    await recordEvent(bad, { type: 'invoice_issued', amount: 100, legs: sale(100) });
    const amount = (value: string): Promise<unknown> =>
      service.store.transaction({ graphId: bad.graph }, (tx) =>
        tx.query(sql`UPDATE ledger_event SET amount = ${value}::text::bigint WHERE event_type = 'invoice_issued'`),
      );
    // The smallest bigint has no absolute value.
    await amount('-9223372036854775808');
    await wait(`VALUES ('${bad.graph}'), ('a_before')`);
    await expect(start()).rejects.toThrow(
      `The settlements of graph ${bad.graph} could not be upgraded (A number is out of range.)`,
    );
    expect(await waiting()).toEqual([bad.graph]);
    await amount('-100');
    await start();
    expect(await waiting()).toEqual([]);
  });

  it('stops before the next graph when its signal aborts', async () => {
    await wait(`VALUES ('a_1')`);
    const reason = new Error('The service stops.');
    await expect(start(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await waiting()).toEqual(['a_1']);
    await start();
  });
});
