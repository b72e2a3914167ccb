// Goal: a share that is too large for its request is a run with progress for each recipient, which continues where a
// worker died (reporting D-12).
// Method: the setting of the limit is one less than the size of the share. The run is executed by the test, as a worker
// does, so that it can die after any recipient.
import { kernel, provide, sql } from '@pacioli/core';
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../src/config.ts';
import { distributionServices } from '../src/distribution/index.ts';
import type { ShareResult } from '../src/distribution/refusals.ts';
import completeShares from '../src/jobs/complete-shares.ts';
import shareReport from '../src/operations/share-report.ts';
import { createReport, type ExampleBooks, openExampleBooks, startReporting } from './example-books.ts';
import { type GraphUser, newHolder, rowsOfGraph } from './sharing-graphs.ts';

const settings = {
  fileGate: true,
  bundleValidation: 'warn',
  vocabularyBase: 'https://vocab.example.org',
  maxSharedFacts: 200_000,
  maxSharedConcepts: 20_000,
  maxSharedFileBytes: 64 * 1024 * 1024,
} as const;
/** The settings that the service reads at each share. */
const current = { ...settings, maxFactsSharedAtOnce: 1_000_000 };

let service: TestService;
let clock: FixedClock;
let user: TestClient;
let books: ExampleBooks;
let holders: readonly GraphUser[];
let reportId: string;
let listId: string;
/** Facts times recipients. */
let size: number;
beforeAll(async () => {
  const started = await startReporting({}, { override: [provide(config.token, { create: () => current })] });
  ({ service, clock, user } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  reportId = (await createReport(books)).id;
  holders = [
    await newHolder(service, 'Bo', ['ledger']),
    await newHolder(service, 'Cy', ['ledger']),
    await newHolder(service, 'Di', ['ledger']),
  ];
  listId = (await books.done('create-publish-list', { name: 'Holders' })).id;
  for (const { graph } of holders)
    await books.done('add-publish-list-members', { list_id: listId, target_graph_ids: [graph] });
  // From here on, the test executes the runs.
  await service.service.drain();
});
afterAll(async () => {
  await service.close();
});

const share = () => books.operation('share-report', { publish_list_id: listId, report_id: reportId });
const revoke = (holder: GraphUser | undefined) =>
  books.operation('revoke-report-share', { report_id: reportId, target_graph_id: holder?.graph });

interface Reported {
  readonly message: string;
  readonly current_step?: number;
  readonly percent?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Executes the run as a worker does, which dies when `onReport` throws. */
async function execute(operationId: string, onReport: (progress: Reported) => void = () => undefined) {
  const graph = { id: books.graph };
  const ctx = {
    graph,
    operationId,
    signal: new AbortController().signal,
    now: () => clock.now(),
    report: async (progress: Reported) => onReport(progress),
  };
  const use = service.service.services.useFor(distributionServices);
  const input = { publish_list_id: listId, report_id: reportId };
  return (await shareReport.handle({ input, ctx, use })) as { readonly results: readonly ShareResult[] };
}

async function turn(): Promise<void> {
  const use = service.service.services.useFor(distributionServices);
  const log = service.service.services.resolve(kernel.log);
  const ctx = { store: service.store, signal: new AbortController().signal, log, now: () => clock.now() };
  await completeShares.handle({ use, ctx });
}

const endRun = (id: string) =>
  service.store.transaction('kernel', (tx) =>
    tx.query(sql`update kernel_operation set status = 'completed', finished_at = ${clock.now()} where id = ${id}`),
  );

async function copiesOf({ graph }: GraphUser): Promise<readonly unknown[]> {
  return ((await rowsOfGraph(service, graph))['reporting_report'] ?? []).map(({ id }) => id);
}

const copies = async () => Promise.all(holders.map(copiesOf));
const deliveries = async () => (await rowsOfGraph(service, books.graph))['reporting_delivery']?.length;

describe('share-report', () => {
  it('delivers within the request up to the limit, and accepts a run one past it (reporting D-12)', async () => {
    const { body } = await share();
    expect(body).toMatchObject({ status: 'completed' });
    size = body.result.results[0].fact_count * holders.length;
    current.maxFactsSharedAtOnce = size;
    expect((await share()).body).toMatchObject({ status: 'completed', result: { results: [{}, {}, {}] } });

    current.maxFactsSharedAtOnce = size - 1;
    const before = await copies();
    const accepted = await share();
    expect(accepted.status).toBe(200);
    expect(accepted.body).toMatchObject({ status: 'pending', result: { report_id: reportId, results: [] } });
    expect(await copies()).toEqual(before);
    expect((await share()).body.detail).toContain('Retry in a moment');
    expect((await revoke(holders[0])).status).toBe(409);
    expect((await books.operation('delete-report', { report_id: reportId })).status).toBe(409);
    expect(await copies()).toEqual(before);

    const reported: Reported[] = [];
    const { results } = await execute(accepted.body.operationId, (progress) => reported.push(progress));
    expect(results.map(({ target_graph_id, status }) => [target_graph_id, status])).toEqual(
      holders.map(({ graph }) => [graph, 'shared']),
    );
    expect(reported.map(({ current_step, percent }) => [current_step, percent])).toEqual([
      [0, 0],
      [1, 33],
      [2, 66],
      [3, 100],
    ]);
    expect(reported[1]?.details).toEqual(results[0]);
    await endRun(accepted.body.operationId);
    await turn();
    expect(await deliveries()).toBe(0);
  });

  it('continues after the last recipient when a worker dies, with the content of its first attempt (reporting D-12)', async () => {
    const { body } = await share();
    const died = new Error('The worker has died.');
    const dieAfter = (step: number) => (progress: Reported) => {
      if (progress.current_step === step) throw died;
    };
    await expect(execute(body.operationId, dieAfter(1))).rejects.toBe(died);
    const [first, second] = await copies();
    await expect(execute(body.operationId, dieAfter(0))).rejects.toBe(died);
    // The job leaves the deliveries of a run that has not ended.
    await turn();
    expect(await deliveries()).toBe(3);
    const { results } = await execute(body.operationId);
    expect(results.map(({ status, fact_count }) => [status, fact_count])).toEqual(
      holders.map(() => ['shared', size / holders.length]),
    );
    const [sameFirst, newSecond] = await copies();
    expect(sameFirst).toEqual(first);
    expect(newSecond).not.toEqual(second);
    await endRun(body.operationId);
  });

  it('reports a recipient that refuses, and delivers to the others (reporting D-4)', async () => {
    await holders[1]?.client.post(`/extensions/ledger/${holders[1].graph}/operations/block-source-graph`, {
      source_graph_id: books.graph,
    });
    const { body } = await share();
    const messages: unknown[] = [];
    const { results } = await execute(body.operationId, ({ message }) => messages.push(message));
    expect(messages.at(-1)).toBe('Delivered to 2 of 3 graphs; 1 did not get it.');
    expect(results.map(({ error }) => error)).toEqual([null, 'Recipient has blocked shares from this graph.', null]);
    // A restart after the last recipient only reads the outcomes.
    expect((await execute(body.operationId)).results).toEqual(results);
    await endRun(body.operationId);
  });

  it('delivers nothing more after it was canceled, and can be shared again (reporting D-12)', async () => {
    for (const holder of holders) await revoke(holder);
    const { body } = await share();
    const canceled = await user.request('DELETE', `/v1/operations/${body.operationId}`);
    expect(canceled.status).toBe(200);
    await turn();
    expect(await deliveries()).toBe(0);
    expect(await copies()).toEqual([[], [], []]);
    expect((await share()).body).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['an unknown list', { publish_list_id: 'list_none' }, 404],
    ['an unknown report', { report_id: 'rpt_none' }, 404],
  ])('refuses %s before a run is accepted, and changes nothing (investor 7.2)', async (_title, wrong, status) => {
    const before = await rowsOfGraph(service, books.graph);
    const refused = await books.operation('share-report', { publish_list_id: listId, report_id: reportId, ...wrong });
    expect(refused.status).toBe(status);
    expect((await rowsOfGraph(service, books.graph))['reporting_delivery']).toEqual(before['reporting_delivery']);
  });
});
