// Goal: a process that dies at any point of a share leaves every recipient with a whole copy or none, and the job
// completes the rest (reporting D-12).
// Method: the process dies before the n-th statement of the call, for every n, which is each statement failing from then
// on; the open transaction is rolled back, as by the server when the connection ends.
import { StoreError, sql, type Transaction } from '@pacioli/core';
import type { FixedClock, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distributionServices } from '../src/distribution/index.ts';
import { leaseMs } from '../src/distribution/share-rows.ts';
import completeShares from '../src/jobs/complete-shares.ts';
import { createReport, type ExampleBooks, openExampleBooks } from './example-books.ts';
import { type GraphUser, newHolder, rowsOfGraph, startSharing } from './sharing-graphs.ts';

let service: TestService;
let clock: FixedClock;
let books: ExampleBooks;
let holder: GraphUser;
let reportId: string;
let listId: string;
let factCount: number;

beforeAll(async () => {
  const started = await startSharing();
  ({ service, clock } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  reportId = (await createReport(books)).id;
  holder = await newHolder(service, 'Bo', ['investor']);
  listId = (await books.done('create-publish-list', { name: 'Holders' })).id;
  await books.done('add-publish-list-members', { list_id: listId, target_graph_ids: [holder.graph] });
});
afterAll(async () => {
  await service.close();
});

const share = () => books.operation('share-report', { publish_list_id: listId, report_id: reportId });
const revoke = () => books.operation('revoke-report-share', { report_id: reportId, target_graph_id: holder.graph });

/** Runs the work of a process that dies before its n-th statement; false if the work needed fewer statements. */
async function dyingAt(n: number, work: () => Promise<unknown>): Promise<boolean> {
  const { store } = service;
  const { transaction } = store;
  let statements = 0;
  const count = (): void => {
    statements += 1;
    if (statements >= n) throw new StoreError('unreachable', 'The process has died.');
  };
  store.transaction = (scope, inside, options) =>
    // The call resolves to the result of `inside`, which `call` does not infer.
    transaction.call(store, scope, (tx) => inside(dying(tx, count)), options) as ReturnType<typeof inside>;
  try {
    await work();
  } finally {
    store.transaction = transaction;
  }
  return statements >= n;
}

function dying(tx: Transaction, count: () => void): Transaction {
  return {
    scope: tx.scope,
    get graphId() {
      return tx.graphId;
    },
    tables: () => tx.tables(),
    stream: (statement, rowsPerBatch) => {
      count();
      return tx.stream(statement, rowsPerBatch);
    },
    queryAtEnd: (statement) => {
      count();
      tx.queryAtEnd(statement);
    },
    query: async (statement) => {
      count();
      return tx.query(statement);
    },
  };
}

async function runJob(at = new Date(clock.now().getTime() + leaseMs + 1)): Promise<void> {
  const use = service.service.services.useFor(distributionServices);
  const { signal } = new AbortController();
  const now = () => at;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  await completeShares.handle({ use, ctx: { store: service.store, signal, log, now } });
}

/** The limit of deliveries in an hour is not the subject. */
const forgetCalls = () =>
  service.store.transaction({ graphId: books.graph }, (tx) =>
    tx.query(sql`delete from reporting_recent_call where graph_id = ${books.graph}`),
  );

interface Held {
  readonly copies: number;
  /** Stored bundles of the copies. */
  readonly files: number;
  readonly facts: number;
  readonly activeShares: number;
  readonly deliveries: number;
}

async function filesOf(reports: readonly Readonly<Record<string, unknown>>[]): Promise<number> {
  const stored = await Promise.all(reports.map(({ bundle_key }) => service.fileStore.info(String(bundle_key))));
  return stored.filter((info) => info !== undefined).length;
}

/** What both sides hold; every set and fact must belong to a copy. */
async function held(): Promise<Held> {
  const [there, here] = [await rowsOfGraph(service, holder.graph), await rowsOfGraph(service, books.graph)];
  const reports = new Set(there['reporting_report']?.map(({ id }) => id));
  const sets = new Set(there['blocks_fact_set']?.map(({ id }) => id));
  expect(there['blocks_fact_set']?.every(({ report_id }) => reports.has(report_id))).toBe(true);
  expect(there['blocks_fact']?.every(({ fact_set_id }) => sets.has(fact_set_id))).toBe(true);
  return {
    copies: reports.size,
    files: await filesOf(there['reporting_report'] ?? []),
    facts: there['blocks_fact']?.length ?? 0,
    activeShares: here['reporting_share']?.filter(({ revoked_at }) => revoked_at === null).length ?? 0,
    deliveries: here['reporting_delivery']?.length ?? 0,
  };
}

describe('a share that is interrupted', () => {
  it('leaves a whole copy or none, and a job completes it (reporting D-12)', async () => {
    const first = await share();
    factCount = first.body.result.results[0].fact_count;
    const whole: Held = { copies: 1, files: 1, facts: factCount, activeShares: 1, deliveries: 0 };
    expect(await held()).toEqual(whole);
    let completed = 0;
    for (let n = 1; ; n += 1) {
      await revoke();
      await forgetCalls();
      expect(await held()).toEqual({ copies: 0, files: 0, facts: 0, activeShares: 0, deliveries: 0 });
      if (!(await dyingAt(n, share))) break;
      const after = await held();
      expect([0, factCount], `dies before statement ${n}`).toContain(after.facts);
      expect(after.facts === factCount, `dies before statement ${n}`).toBe(after.copies === 1);
      // What was delivered is recorded, or will be.
      if (after.copies === 1) expect(after.activeShares + after.deliveries, `statement ${n}`).toBeGreaterThan(0);
      await runJob();
      const repaired = await held();
      expect(repaired, `dies before statement ${n}`).toEqual(
        after.deliveries > 0 || after.copies === 1
          ? whole
          : { copies: 0, files: 0, facts: 0, activeShares: 0, deliveries: 0 },
      );
      if (after.deliveries > 0) completed += 1;
    }
    expect(completed).toBeGreaterThan(10);
  }, 300_000);

  it('can be revoked again when the revocation was interrupted (investor B-1)', async () => {
    for (let n = 1; ; n += 1) {
      await forgetCalls();
      expect((await share()).body.result.results[0].status).toBe('shared');
      const isDead = await dyingAt(n, revoke);
      const after = await held();
      // Nothing is stamped before the copy is gone.
      if (after.activeShares === 0) expect(after.copies, `dies before statement ${n}`).toBe(0);
      if (!isDead) break;
      const again = await revoke();
      expect(again.status, `dies before statement ${n}`).toBe(after.activeShares === 1 ? 200 : 404);
      expect(await held()).toEqual({ copies: 0, files: 0, facts: 0, activeShares: 0, deliveries: 0 });
    }
  }, 300_000);

  it('is completed for all of its recipients by one run of the job (reporting D-12)', async () => {
    const others = [await newHolder(service, 'Cy', ['investor']), await newHolder(service, 'Di', ['investor'])];
    const list = await books.done('create-publish-list', { name: 'Others' });
    const targets = others.map(({ graph }) => graph);
    await books.done('add-publish-list-members', { list_id: list.id, target_graph_ids: targets });
    const shareWithOthers = () => books.operation('share-report', { publish_list_id: list.id, report_id: reportId });
    const deliveries = async () => (await rowsOfGraph(service, books.graph))['reporting_delivery']?.length ?? 0;
    for (let n = 1; (await deliveries()) < targets.length; n += 1) await dyingAt(n, shareWithOthers);
    clock.advance(leaseMs + 1);
    await runJob(clock.now());
    expect(await deliveries()).toBe(0);
    for (const { graph } of others) {
      const copies = (await rowsOfGraph(service, graph))['reporting_report'] ?? [];
      expect([copies.length, await filesOf(copies)]).toEqual([1, 1]);
    }
  });
});
