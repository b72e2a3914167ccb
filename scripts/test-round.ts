/** Runs vitest once and collects the outcome. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { FileTime } from './test-budgets.ts';

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The file, title and first message line of each failure. */
  readonly failures: readonly string[];
  /** The elapsed time of each file. */
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
  readonly processorTimes: readonly FileTime[];
  /** Notes that are needed to interpret the counts. */
  readonly notes: readonly string[];
}

export interface Round {
  readonly title: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths, or parts of them; empty means all files. */
  readonly files: readonly string[];
  readonly isShuffled: boolean;
  /** Prints nothing, for concurrent runs. */
  readonly isQuiet?: boolean;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
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

const maxFailureLines = 20;
const maxFailureCharacters = 2_000;

const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], files: [], processorTimes: [], notes: [] };

export async function runRound(root: string, round: Round): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'pacioli-results-'));
  const report = join(folder, 'report.json');
  const times = join(folder, 'times.jsonl');
  const notes = join(folder, 'notes.txt');
  const printed = openSync(join(folder, 'printed.log'), 'w');
  try {
    const vitest = spawn(process.execPath, normalizedWords(root, round, report), {
      cwd: root,
      stdio: round.isQuiet === true ? ['ignore', printed, printed] : 'inherit',
      env: { ...process.env, ...round.env, PACIOLI_TEST_PROCESSOR_TIME: times, PACIOLI_TEST_NOTES: notes },
    });
    const [exitCode] = await once(vitest, 'exit');
    if (!existsSync(report)) return noReport(join(folder, 'printed.log'));
    return { ...outcomeOf(root, report, exitCode === 0), processorTimes: readTimes(times), notes: linesOf(notes) };
  } finally {
    closeSync(printed);
    rmSync(folder, { recursive: true, force: true });
  }
}

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
      failures: [...sum.failures, ...next.failures],
      files: [...sum.files, ...next.files],
      processorTimes: [...sum.processorTimes, ...next.processorTimes],
      notes: [...sum.notes, ...next.notes],
    }),
    nothing,
  );
}

/** The outcome of an aborted run, with the end of its hidden output. */
function noReport(printed: string): Outcome {
  const end = readFileSync(printed, 'utf8').slice(-2_000);
  return { ...nothing, failed: 1, failures: [`the run ended without a report; run it alone to see why\n${end}`] };
}

function normalizedWords(root: string, { files, isShuffled }: Round, report: string): readonly string[] {
  return [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // Test files share the modules of their worker, so a random order reveals leaked state.
    ...(isShuffled ? ['--sequence.shuffle.files', `--sequence.seed=${randomInt(1_000_000)}`] : []),
    ...files,
  ];
}

function outcomeOf(root: string, path: string, isEndedWell: boolean): Outcome {
  const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport; // Written by vitest.
  // A file that failed to load, or an error outside of tests, has no failed test.
  const outside = report.numFailedTests === 0 && !(isEndedWell && report.success) ? 1 : 0;
  return {
    ...nothing,
    passed: report.numPassedTests,
    failed: report.numFailedTests + outside,
    skipped: report.numPendingTests,
    failures: failuresOf(report),
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      name: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

function failuresOf(report: VitestReport): readonly string[] {
  return report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${name}: ${summaryOf(message)}`] : [];
    return failed.map((test) => `${name} > ${test.fullName}: ${summaryOf(test.failureMessages[0] ?? '')}`);
  });
}

/** The message without its stack: a law's failure names its counterexample and the assertion after the first line. */
function summaryOf(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines
    .slice(0, maxFailureLines)
    .map((line) => line.slice(0, maxFailureCharacters))
    .join('\n    ');
}

function readTimes(path: string): readonly FileTime[] {
  return linesOf(path).map((line) => JSON.parse(line) as FileTime); // Written by processor-time.ts.
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
