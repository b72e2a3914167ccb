import { join } from 'node:path';
import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUNDING_ACCOUNT_NAME } from '../src/import-journal/plan.ts';
import { runImport } from '../src/import-journal/run-import.ts';
import { askBeanQuery, examples, isReady, why } from './bean-query.ts';

/**
 * Goal: what the service says after an import equals what Beancount itself says.
 * Method: the packaged example goes through the public interface; the trial balance at the end of each year is compared
 * with bean-query's weights, rounded leg by leg and summed by account, to the cent.
 */
const example = join(examples, 'example.beancount');
const sources = join(import.meta.dirname, '../src/import-journal/fixtures');

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
      .filter(([name, value]) => value !== 0 && !name.split(':').includes(ROUNDING_ACCOUNT_NAME))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function compare(file: string, graphName: string): Promise<string> {
  const report = await runImport({ file, url: service.url, apiKey, graphName });
  const rows = askBeanQuery(file, 'USD');
  const years = [...new Set(rows.map((row) => row.year))].sort();
  for (const year of years) {
    const theirs = new Map<string, bigint>();
    for (const row of rows) if (row.year <= year) theirs.set(row.account, (theirs.get(row.account) ?? 0n) + row.cents);
    const expected = [...theirs].filter(([, cents]) => cents !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(await balancesOf(report.graph_id, `${year}-12-31`)).toEqual(
      Object.fromEntries(expected.map(([account, cents]) => [account, Number(cents)])),
    );
  }
  expect(report.transactions).toBeGreaterThan(0);
  return report.graph_id;
}

describe.runIf(isReady)(`an import${why}`, () => {
  it('gives the balances of bean-query at the end of each year, account by account, and adds nothing the second time', {
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

  it('gives the balances of bean-query for a book with lots, prices, pads and missing numbers', {
    timeout: 120_000,
  }, async () => {
    await compare(join(sources, 'lots-and-prices.beancount'), 'Lots and prices');
  });
});
