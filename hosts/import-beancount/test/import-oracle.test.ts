/**
 * Compares randomly generated books with another program.
 * @module-tag full-run
 */
// Goal: the planned entries equal Beancount's own balances, by account, to the cent, at the end of every year.
// Method: bean-query prints the weight of each posting; both sides are rounded leg by leg and summed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadJournal } from '../src/load-journal.ts';
import { planImport } from '../src/plan.ts';
import { askBeanQuery, examples, hasExamples, isInstalled, isReady, packagedBooks, why } from './bean-query.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-oracle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Sums = Map<string, bigint>;

function addTo(sums: Sums, key: string, cents: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + cents);
}

function nonZero(sums: Sums): Record<string, string> {
  const rows = [...sums].filter(([, cents]) => cents !== 0n).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(rows.map(([key, cents]) => [key, cents.toString()]));
}

async function compareBook(file: string): Promise<void> {
  const plan = planImport(await loadJournal(file));
  expect(plan.refused).toEqual([]);
  expect(plan.balance_failures).toEqual([]);
  const rows = askBeanQuery(file, plan.currency);
  expect(rows.length).toBeGreaterThan(0);
  const years = [...new Set(rows.map((row) => row.year))].toSorted();
  for (const year of years) {
    const theirs: Sums = new Map();
    for (const row of rows) if (row.year <= year) addTo(theirs, row.account, row.cents);
    const ours: Sums = new Map();
    for (const entry of plan.entries) {
      if (entry.date.slice(0, 4) > year) continue;
      for (const leg of entry.legs) if (!leg.is_rounding) addTo(ours, leg.account, leg.amountMinor);
    }
    expect({ year, ...nonZero(ours) }).toEqual({ year, ...nonZero(theirs) });
  }
}

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include the Debian package beancount and its examples', () => {
    expect({ isInstalled, hasExamples }).toEqual({ isInstalled: true, hasExamples: true });
  });
});

describe.runIf(isReady)(`trial balances of import plans${why}`, () => {
  it.each(packagedBooks)(
    'equal those of bean-query for %s at the end of each year, by account, to the cent',
    async (book) => {
      await compareBook(join(examples, book));
    },
  );

  it.each(['7', '1494', '31337'])('equal those of bean-query for the generated journal with seed %s', async (seed) => {
    const file = join(folder, `seed-${seed}.beancount`);
    execFileSync(
      'bean-example',
      ['--seed', seed, '--date-begin', '2018-01-01', '--date-end', '2020-12-31', '-o', file],
      {
        stdio: 'ignore',
      },
    );
    await compareBook(file);
  });

  it('equal those of bean-query for a journal with lots, prices, pads and missing numbers', async () => {
    await compareBook(join(import.meta.dirname, '../src/fixtures', 'lots-and-prices.beancount'));
  });

  it('include all 1,146 transactions of the packaged example', async () => {
    const journal = await loadJournal(join(examples, 'example.beancount'));
    expect(journal.directives.filter((directive) => directive.kind === 'transaction')).toHaveLength(1146);
    expect(readFileSync(journal.file, 'utf8')).toContain('AUTO-GENERATED');
  });
});
