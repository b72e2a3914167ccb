/** Runs the suites: `npm test`, `npm run test:all` (with `--all`) and `npm run test:stress` (with `--stress`). */
import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { runProgram } from './run-program.ts';
import { type Budgets, budgetFaults, calibrate, missingTimes, packageTimes } from './test-budgets.ts';
import { testFiles } from './test-files.ts';
import { type Outcome, type Round, runRound, sumOf } from './test-round.ts';

const root = join(import.meta.dirname, '..');
/** Concurrent runs of vitest under stress. Each has one worker more than there are processors. */
const runsAtOnce = 5;
/** The number of slowest files to list. */
const maxSlowest = 25;

const usage = `Usage: npm test -- [FILE …]            files, or parts of their paths; everything by default
       npm run test:all -- [FILE …]    also full processes, a browser and graph servers
       npm run test:stress -- [--runs N]  npm test N times (default 10), ${runsAtOnce} concurrently`;

const { values, positionals } = readWords();
if (values.help === true) console.log(usage);
else
  process.exitCode = (await (values.stress === true ? stress(Number(values.runs)) : runOnce(values.all === true)))
    ? 0
    : 1;

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        stress: { type: 'boolean' },
        runs: { type: 'string', default: '10' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(1);
  }
}

/** The round of `npm test`. Named files run regardless of their tags. */
function quickRound(): Round {
  return {
    title: 'Everything but the files with the tag full-run; those with the tag sessions on a PostgreSQL server',
    env: { PACIOLI_TEST_STORES: 'embedded,server', PACIOLI_TEST_STORES_BY_TAG: '1' },
    files: positionals.length > 0 ? positionals : filesWhere((tags) => !tags.includes('full-run')),
    isShuffled: false,
  };
}

function fullRounds(): readonly Round[] {
  const env = { PACIOLI_TEST_REQUIRE_ALL: '1', PACIOLI_TEST_FULL_RUN: '1' };
  return [
    {
      title: 'Everything, each suite on the store that decides it',
      env: { ...env, PACIOLI_TEST_STORES: 'embedded,server', PACIOLI_TEST_STORES_BY_TAG: '1' },
      files: positionals,
      isShuffled: true,
    },
    {
      title: 'The suites for which the graph engine decides, on graph servers',
      env: { ...env, PACIOLI_TEST_STORES: 'server', PACIOLI_TEST_GRAPH_STORE: 'bolt' },
      files: positionals.length > 0 ? positionals : filesWhere((tags) => tags.includes('engines')),
      isShuffled: true,
    },
  ];
}

function filesWhere(accepts: (tags: readonly string[]) => boolean): readonly string[] {
  return testFiles(root)
    .filter(({ tags }) => accepts(tags))
    .map(({ path }) => path);
}

async function runOnce(isAll: boolean): Promise<boolean> {
  const budgets = readBudgets();
  const calibrationSeconds = calibrate();
  const outcomes: Outcome[] = [];
  // The key of a cached file leaves out the packages that its imports resolve to, so the full run makes its own cache.
  if (isAll) clearModuleCache();
  for (const round of isAll ? fullRounds() : [quickRound()]) {
    console.log(`\n${round.title}`);
    const { failures, ...rest } = await runRound(root, round);
    outcomes.push({ ...rest, failures: failures.map((failure) => `${round.title}: ${failure}`) });
  }
  const outcome = sumOf(outcomes);
  const times = packageTimes(root, outcome.processorTimes);
  printTimes(outcome, times);
  const faults =
    isAll && positionals.length === 0
      ? [...budgetFaults(times, budgets, calibrationSeconds), ...missingTimes(times, budgets)]
      : [];
  if (!isAll) {
    console.log(
      '\n`npm run test:all` also starts and kills full processes, drives a browser (Debian’s chromium), imports the\n' +
        'example book against bean-query (Debian’s beancount), stores files in an object store (installed by Go), and\n' +
        'calls the service with the published Python client (PyPI).',
    );
  }
  // Repeats the failures at the end, because those of the first round are thousands of lines above.
  for (const failure of outcome.failures) console.log(`FAILED ${failure}`);
  for (const fault of faults) console.log(`FAILED ${fault}`);
  for (const note of outcome.notes) console.log(note);
  console.log(`\n${countsOf(outcome)}`);
  return outcome.failed === 0 && faults.length === 0;
}

function printTimes({ files }: Outcome, times: ReturnType<typeof packageTimes>): void {
  console.log('\nThe slowest files:');
  for (const { name, seconds } of [...files].sort((a, b) => b.seconds - a.seconds).slice(0, maxSlowest))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  console.log('\nProcessor time of the tests of each package:');
  for (const { name, seconds } of times) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

function readBudgets(): Budgets {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'test-budgets.json'), 'utf8')) as Budgets; // Manual.
}

/** Removes the translated files that runs of vitest share. */
function clearModuleCache(): void {
  rmSync(join(root, 'node_modules', '.experimental-vitest-cache'), { recursive: true, force: true });
}

function countsOf({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Repeats the quick round, several concurrently on the same processors, to reveal outcomes that depend on timing. */
async function stress(runs: number): Promise<boolean> {
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a whole number of at least 1.');
  // Built once, because concurrent runs would write the same files.
  await build(root, 'development', { run: runProgram, say: console.log });
  process.env['PACIOLI_TEST_IS_BUILT'] = '1';
  // Runs that find the cache of another lockfile would all clear it at once, and fail. Without one, none clears.
  clearModuleCache();
  const waiting = Array.from({ length: runs }, (_, index) => index + 1);
  let isGreen = true;
  const takeTurns = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const startMs = Date.now();
      const outcome = await runRound(root, { ...quickRound(), isShuffled: true, isQuiet: true });
      const seconds = ((Date.now() - startMs) / 1000).toFixed(0);
      const load = loadavg()[0]?.toFixed(1);
      console.log(`Run ${run} of ${runs}: ${countsOf(outcome)} in ${seconds} s, load average ${load}`);
      for (const failure of outcome.failures) console.log(`  FAILED ${failure}`);
      for (const note of outcome.notes) console.log(`  ${note}`);
      isGreen &&= outcome.failed === 0;
    }
  };
  console.log(`Running the suites ${runs} times, ${runsAtOnce} concurrently …`);
  await Promise.all(Array.from({ length: runsAtOnce }, takeTurns));
  return isGreen;
}
