/** @module-tag sessions */
import { sql, type Transaction } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookVerifier, type LedgerLog, ledgerLog } from '../src/index.ts';
import sealLog from '../src/jobs/seal-log.ts';
import { startLedger } from './books.ts';
import { isOnServer, skipReason } from './capacity-lock.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger(undefined, { worker: false }));
  // The next run of the worker is set far ahead, because it would take rows that a test counts.
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`INSERT INTO kernel_schedule (job, next_at) VALUES ('seal-log', '2099-01-01')`),
  );
  await service.service.startWorker();
});
afterAll(() => service.close());

/** More than two batches of one transaction. */
const many = 4_100;

/** Creates graphs with this many unsealed rows each, the first of them waiting longest. */
async function waitingGraphs(...rows: readonly number[]): Promise<readonly string[]> {
  const graphs: string[] = [];
  for (const count of rows) {
    const graphId = await user.createGraph('Books', ['roboledger']);
    const log = service.service.services.resolve(ledgerLog);
    // A new graph already has rows.
    while ((await service.store.transaction({ graphId }, (tx) => log.seal(tx))) > 0);
    await service.store.transaction({ graphId }, (tx) =>
      tx.query(sql`
        INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
        SELECT ${graphId}, 'event_changed', 'evt_' || n, '{}' FROM generate_series(1, ${count}::integer) AS n`),
    );
    graphs.push(graphId);
  }
  return graphs;
}

async function unsealed(graphId: string): Promise<number | undefined> {
  const [row] = await service.store.transaction({ graphId }, (tx) =>
    tx.query(sql<{ left: number }>`SELECT count(*) AS left FROM ledger_log AS l WHERE NOT EXISTS (
      SELECT FROM kernel_chain_batch AS b WHERE b.graph_id = l.graph_id AND l.id <@ b.places)`),
  );
  return row?.left;
}

/**
 * Runs the job once over the real log. Returns the graphs in the order of their batches; stops after the given number.
 */
async function turn(stopAfter = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  const log = service.service.services.resolve(ledgerLog);
  const stop = new AbortController();
  const batches: string[] = [];
  const followed: LedgerLog = {
    head: (tx) => log.head(tx),
    graphsToSeal: (tx, most) => log.graphsToSeal(tx, most),
    seal: (tx) => {
      if (tx.scope !== 'kernel') batches.push(tx.scope.graphId);
      if (batches.length >= stopAfter) stop.abort();
      return log.seal(tx);
    },
  };
  const quiet = () => undefined;
  const ctx = {
    store: service.store,
    signal: stop.signal,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    now: () => new Date(),
  };
  await sealLog.handle({ ctx, use: { ledgerLog: followed } });
  return batches;
}

describe('seal job', { timeout: 300_000 }, () => {
  it('seals one batch of each graph in turn, until nothing is left (ledger L-214)', async () => {
    const [large = '', small = '', other = ''] = await waitingGraphs(many, 3, 2);
    expect(await turn()).toEqual([large, small, other, large, small, other, large, large]);
    for (const graph of [large, small, other]) expect(await unsealed(graph)).toBe(0);
  });

  it('continues in the next run where an aborted run stopped (ledger L-214)', async () => {
    const [large = '', small = ''] = await waitingGraphs(many, 3);
    expect(await turn(2)).toEqual([large, small]);
    expect([await unsealed(large), await unsealed(small)]).toEqual([many - 2_000, 0]);
    expect(await turn()).toEqual([large, large, large]);
    expect(await unsealed(large)).toBe(0);
  });

  it('fetches only the requested number of graphs, the longest waiting first (ledger L-214)', async () => {
    const graphs = await waitingGraphs(1, 2, 1);
    const log = service.service.services.resolve(ledgerLog);
    const next = (most: number) => service.store.transaction('kernel', (tx) => log.graphsToSeal(tx, most));
    expect(await next(2)).toEqual(graphs.slice(0, 2));
    await service.store.transaction({ graphId: graphs[0] ?? '' }, (tx) => log.seal(tx));
    expect(await next(2)).toEqual(graphs.slice(1));
  });
});

describe.runIf(isOnServer())(`seal job with an open transaction${skipReason()}`, { timeout: 300_000 }, () => {
  it('seals a row that commits after rows with higher ids were sealed (ledger L-223)', async () => {
    // The transaction of the early row stays open while later rows are written and sealed, several times.
    const [graphId = ''] = await waitingGraphs(1);
    const log = service.service.services.resolve(ledgerLog);
    const inGraph = <T>(work: (tx: Transaction) => Promise<T>) => service.store.transaction({ graphId }, work);
    const seal = () => inGraph((tx) => log.seal(tx));
    const row = (subject: string) => sql`INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
      VALUES (${graphId}, 'event_changed', ${subject}, '{}')`;
    let commit = (): void => undefined;
    const committing = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let early: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      early = inGraph(async (tx) => {
        await tx.query(row('evt_early'));
        resolve();
        await committing;
      });
      early.catch(reject);
    });
    try {
      await inGraph((tx) => tx.query(row('evt_later')));
      expect([await seal(), await seal(), await seal()]).toEqual([2, 0, 0]);
      await inGraph((tx) => tx.query(row('evt_last')));
      expect(await seal()).toBe(1);
    } finally {
      commit();
    }
    await early;
    const waiting = () => service.store.transaction('kernel', (tx) => log.graphsToSeal(tx, 1_000));
    expect(await waiting()).toContain(graphId);
    expect([await unsealed(graphId), await seal(), await unsealed(graphId)]).toEqual([1, 1, 0]);
    expect(await waiting()).not.toContain(graphId);
    const batches = await inGraph((tx) =>
      tx.query(sql<{ is_early: boolean }>`
        SELECT places = (SELECT int8multirange(int8range(id, id, '[]')) FROM ledger_log WHERE subject_id = 'evt_early') AS is_early
        FROM kernel_chain_batch WHERE graph_id = ${graphId} ORDER BY last_seq`),
    );
    expect(batches.map(({ is_early }) => is_early)).toEqual([...batches.slice(1).map(() => false), true]);
    expect(await inGraph((tx) => service.service.services.resolve(bookVerifier).verify(tx))).toEqual([]);
  });
});
