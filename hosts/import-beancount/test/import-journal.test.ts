/**
 * Posts thousands of entries through the public API.
 * @module-tag full-run
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLedger, type LedgerApi } from '../src/ledger-api.ts';
import { roundingAccountName } from '../src/plan.ts';
import { runImport } from '../src/run-import.ts';
import { askBeanQuery, examples, isReady, type OracleRow, why } from './bean-query.ts';

/**
 * Goal: after an import the service reports the same balances as Beancount itself.
 * Method: the packaged example is imported through the public API; the trial balance at the end of each year is
 * compared with bean-query's weights, rounded leg by leg and summed by account, to the cent.
 */
const example = join(examples, 'example.beancount');
const sources = join(import.meta.dirname, '../src/fixtures');

let service: TestService;
let user: TestClient;
let apiKey: string;
beforeAll(async () => {
  service = await startTestService({
    plugins: [graph, taxonomy, blocks, ledger],
    aliases: { ledger: ['roboledger'] },
    override: [],
  });
  user = await service.newUser('Importer');
  apiKey = (await user.post('/v1/user/api-keys', { name: 'import' })).body.key;
});
afterAll(async () => {
  await service.close();
});

interface Row {
  readonly accountName: string;
  readonly netBalance: number;
}

async function balancesOf(graphId: string, end: string): Promise<Record<string, number>> {
  const answer = await user.graphql(graphId, `{ trialBalance(endDate: "${end}") { rows { accountName netBalance } } }`);
  const rows: readonly Row[] = answer.body.data.trialBalance.rows;
  const cents = rows.map((row) => [row.accountName, Math.round(row.netBalance * 100)] as const);
  return Object.fromEntries(
    cents
      .filter(([name, value]) => value !== 0 && !name.split(':').includes(roundingAccountName))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The balance of each account at the end of a year according to bean-query, in cents. */
function oracleAt(rows: readonly OracleRow[], year: string): Record<string, number> {
  const theirs = new Map<string, bigint>();
  for (const row of rows) if (row.year <= year) theirs.set(row.account, (theirs.get(row.account) ?? 0n) + row.cents);
  const expected = [...theirs].filter(([, cents]) => cents !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(expected.map(([account, cents]) => [account, Number(cents)]));
}

const yearsOf = (rows: readonly OracleRow[]): readonly string[] => [...new Set(rows.map((row) => row.year))].sort();

async function compare(file: string, graphName: string): Promise<string> {
  const report = await runImport({ file, url: service.url, apiKey, graphName });
  const rows = askBeanQuery(file, 'USD');
  for (const year of yearsOf(rows))
    expect(await balancesOf(report.graph_id, `${year}-12-31`)).toEqual(oracleAt(rows, year));
  expect(report.transactions).toBeGreaterThan(0);
  return report.graph_id;
}

describe.runIf(isReady)(`import-journal${why}`, () => {
  it('matches the account balances of bean-query at the end of each year, and adds nothing the second time', {
    timeout: 300_000,
  }, async () => {
    const graphId = await compare(example, 'Packaged example');
    const counts =
      '{ summary { accountCount transactionCount entryCount lineItemCount } journalEntries(status: "draft") { pagination { total } } }';
    const before = (await user.graphql(graphId, counts)).body.data;
    expect(before.journalEntries.pagination.total).toBe(0);
    const again = await runImport({ file: example, url: service.url, apiKey, graphName: 'Packaged example' });
    expect(again).toMatchObject({ graph_id: graphId, transactions: 0, postings: 0, accounts_created: 0 });
    expect((await user.graphql(graphId, counts)).body.data).toEqual(before);
  });

  it('matches the balances of bean-query for a journal with lots, prices, pads and missing numbers', {
    timeout: 300_000,
  }, async () => {
    await compare(join(sources, 'lots-and-prices.beancount'), 'Lots and prices');
  });
});

/** Wraps the public API so that every recorded entry stays a draft. */
function asDrafts(api: LedgerApi): LedgerApi {
  return {
    url: api.url,
    get: (path) => api.get(path),
    wait: (milliseconds) => api.wait(milliseconds),
    post: (path, body, key) => {
      if (!path.endsWith('/create-event-block')) return api.post(path, body, key);
      const event = body as { metadata: object }; // The import sends an event there.
      return api.post(path, { ...event, metadata: { ...event.metadata, status: 'draft' } }, key);
    },
  };
}

/** Closes the months of a graph in order through the end of a year, as a bookkeeper would. */
async function closeThrough(graphId: string, year: string): Promise<number> {
  const operation = (name: string, body: object) =>
    user.post(`/extensions/roboledger/${graphId}/operations/${name}`, body);
  const target = await operation('set-close-target', { period: `${year}-12` });
  let posted = 0;
  for (const period of target.body.result.catch_up_sequence) {
    const answer = await operation('close-period', { period });
    expect([period, answer.status, answer.body.detail]).toEqual([period, 200, undefined]);
    posted += answer.body.result.entries_posted;
  }
  return posted;
}

/**
 * Goal: closing changes no posted balance, and posts every draft exactly once.
 * Method: journals generated by bean-example are imported through the public API, and their months are closed in
 * order; after each year the trial balance is compared with bean-query and with the one before the first close.
 */
describe.runIf(isReady)(`months of imported books with years of history${why}`, () => {
  it.each([
    { seed: '11', end: '2020-12-31', drafts: true },
    { seed: '271', end: '2019-12-31', drafts: false },
    { seed: '65537', end: '2020-12-31', drafts: false },
  ])(
    'close in order; seed $seed agrees with bean-query after each year, to the cent (ledger L-158, L-160, L-199)',
    {
      timeout: 900_000,
    },
    async ({ seed, end, drafts }) => {
      const folder = mkdtempSync(join(tmpdir(), 'pacioli-close-'));
      try {
        const file = join(folder, `seed-${seed}.beancount`);
        const words = ['--seed', seed, '--date-begin', '2018-01-01', '--date-end', end, '-o', file];
        execFileSync('bean-example', words, { stdio: 'ignore' });
        const connection = connectLedger({ url: service.url, apiKey });
        const api = drafts ? asDrafts(connection) : connection;
        const report = await runImport({ file, url: service.url, apiKey, graphName: `Seed ${seed}`, api });
        expect(report.not_taken).toEqual([]);
        const rows = askBeanQuery(file, 'USD');
        const years = yearsOf(rows);
        const first = years[0] ?? 'no year';
        const started = await user.post(`/extensions/roboledger/${report.graph_id}/operations/initialize`, {
          earliest_data_period: `${first}-01`,
        });
        expect(started.status).toBe(200);
        const totals = '{ trialBalance { totalDebits totalCredits rows { accountName totalDebits totalCredits } } }';
        const before = (await user.graphql(report.graph_id, totals)).body.data;
        let posted = 0;
        for (const year of years) {
          posted += await closeThrough(report.graph_id, year);
          expect({ year, ...(await balancesOf(report.graph_id, `${year}-12-31`)) }).toEqual({
            year,
            ...oracleAt(rows, year),
          });
          if (!drafts) expect((await user.graphql(report.graph_id, totals)).body.data).toEqual(before);
        }
        expect(posted).toBe(drafts ? report.transactions : 0);
        const { fiscalCalendar } = (await user.graphql(report.graph_id, '{ fiscalCalendar { closedThrough } }')).body
          .data;
        expect(fiscalCalendar.closedThrough).toBe(`${years.at(-1)}-12`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
