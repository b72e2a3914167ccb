// Goal: what we would post equals what Beancount itself computes, by account, to the cent, at the end of every year.
// Method: bean-query prints the weight of each posting; both sides are rounded leg by leg and summed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadJournal } from './load-journal.ts';
import { planImport } from './plan.ts';

const examples = '/usr/share/doc/beancount/examples';
const packagedBooks = ['example.beancount', 'simple/basic.beancount', 'vesting/vesting.beancount'];
const output_bytes_max = 64 * 1024 * 1024;
const isInstalled = ['bean-query', 'bean-example'].every((name) => spawnSync(name, ['--version']).status === 0);
const hasExamples = packagedBooks.every((book) => existsSync(join(examples, book)));
const isReady = isInstalled && hasExamples;
const why = isReady ? '' : ' (skipped: Debian package beancount with its examples is not installed)';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-oracle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rounds plain decimal text half-even to cents without the arithmetic under test. */
function centsOf(text: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = fraction.padEnd(3, '0');
  const floor = BigInt(whole + digits.slice(0, 2));
  const rest = digits.slice(2).replace(/0+$/, '');
  const isUp = rest > '5' || (rest === '5' && floor % 2n === 1n);
  const cents = isUp ? floor + 1n : floor;
  return sign === '-' ? -cents : cents;
}

type Sums = Map<string, bigint>;

function addTo(sums: Sums, key: string, cents: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + cents);
}

function nonZero(sums: Sums): Record<string, string> {
  const rows = [...sums].filter(([, cents]) => cents !== 0n).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(rows.map(([key, cents]) => [key, cents.toString()]));
}

interface OracleRow {
  readonly year: string;
  readonly account: string;
  readonly cents: bigint;
}

function askBeanQuery(file: string, currency: string): OracleRow[] {
  const query = `select year, account, str(weight) as weight where currency(weight) = '${currency}'`;
  const answer = execFileSync('bean-query', ['-q', '-f', 'csv', file, query], {
    encoding: 'utf8',
    maxBuffer: output_bytes_max,
    env: { ...process.env, BEANCOUNT_DISABLE_LOAD_CACHE: '1' },
  });
  return answer
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [year = '', account = '', weight = ''] = line.split(',').map((field) => field.trim());
      const number = weight.split(' ')[0] ?? '';
      return { year, account, cents: /E/.test(number) ? centsOf(Number(number).toFixed(20)) : centsOf(number) };
    });
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
      for (const leg of entry.legs) if (!leg.is_rounding) addTo(ours, leg.account, leg.amount_minor);
    }
    expect({ year, ...nonZero(ours) }).toEqual({ year, ...nonZero(theirs) });
  }
}

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('where PACIOLI_TEST_REQUIRE_ALL is 1', () => {
  it('the Debian package beancount and its examples are installed', () => {
    expect({ isInstalled, hasExamples }).toEqual({ isInstalled: true, hasExamples: true });
  });
});

describe.runIf(isReady)(`trial balances against bean-query${why}`, () => {
  it.each(packagedBooks)('equal those of %s at the end of each year, account by account, to the cent', async (book) => {
    await compareBook(join(examples, book));
  });

  it.each(['7', '1494', '31337'])('equal those of the generated book with seed %s', async (seed) => {
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

  it('equal those of our own book with lots, prices, pads and missing numbers', async () => {
    await compareBook(join(import.meta.dirname, 'fixtures', 'lots-and-prices.beancount'));
  });

  it('reads all 1,146 transactions of the packaged example', async () => {
    const journal = await loadJournal(join(examples, 'example.beancount'));
    expect(journal.directives.filter((directive) => directive.kind === 'transaction')).toHaveLength(1146);
    expect(readFileSync(journal.file, 'utf8')).toContain('AUTO-GENERATED');
  });
});
