/** Runs the suites. `--all` adds those that need more than npm: a PostgreSQL server, Debian's beancount, the Python client. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The file, the title and the first line of the message of each. */
  readonly failures: readonly string[];
  /** Of each file, how long it took. */
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const root = join(import.meta.dirname, '..');
const isAll = process.argv.includes('--all');
const filters = process.argv.slice(2).filter((word) => word !== '--all');

/** What each round runs, and with which environment. */
const rounds: readonly {
  readonly title: string;
  readonly env: Readonly<Record<string, string>>;
  readonly filters: readonly string[];
}[] = isAll
  ? [
      {
        title: 'Everything, on the embedded store',
        env: { PACIOLI_TEST_STORES: 'embedded', PACIOLI_TEST_REQUIRE_ALL: '1' },
        filters,
      },
      {
        title: 'The suites that face the store, on a PostgreSQL server',
        env: { PACIOLI_TEST_STORES: 'server', PACIOLI_TEST_REQUIRE_ALL: '1' },
        filters: filters.length > 0 ? filters : ['core/', 'plugins/', 'hosts/drivers/store-postgres/', 'testing/'],
      },
    ]
  : [{ title: 'Everything that needs nothing but npm', env: { PACIOLI_TEST_STORES: 'embedded' }, filters }];

/** Files listed as the slowest. */
const maxSlowest = 10;

// Test files share their worker's modules, so continuous integration takes them in another order each time.
const order = isAll ? ['--sequence.shuffle.files', `--sequence.seed=${Date.now() % 1_000_000}`] : [];
let total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };
for (const round of rounds) {
  console.log(`\n${round.title}`);
  const counts = runVitest(round.env, round.filters);
  total = {
    passed: total.passed + counts.passed,
    failed: total.failed + counts.failed,
    skipped: total.skipped + counts.skipped,
    failures: [...total.failures, ...counts.failures.map((failure) => `${round.title}: ${failure}`)],
    files: [...total.files, ...counts.files],
  };
}
if (!isAll) {
  console.log(
    '\n`npm run test:all` also runs: the same suites on a PostgreSQL server (from npm), the import of the example book against\n' +
      "bean-query (Debian's package beancount), and the published Python client (PyPI).",
  );
}
console.log('\nThe slowest files:');
for (const { name, seconds } of [...total.files].sort((a, b) => b.seconds - a.seconds).slice(0, maxSlowest))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
// Again at the end, because the first round's are thousands of lines above.
for (const failure of total.failures) console.log(`FAILED ${failure}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function runVitest(env: Readonly<Record<string, string>>, only: readonly string[]): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-results-'));
  const file = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...order, ...only];
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    // A file that could not be loaded, or an error outside of any test, has no failed test of its own.
    const outside = report.numFailedTests === 0 && (status !== 0 || !report.success) ? 1 : 0;
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + outside,
      skipped: report.numPendingTests,
      failures: failuresOf(report),
      files: report.testResults.map(({ name, startTime, endTime }) => ({
        name: relative(root, name),
        seconds: (endTime - startTime) / 1000,
      })),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['the run ended without a report'], files: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function failuresOf(report: VitestReport): string[] {
  return report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${name}: ${firstLine(message)}`] : [];
    return failed.map((test) => `${name} > ${test.fullName}: ${firstLine(test.failureMessages[0] ?? '')}`);
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
