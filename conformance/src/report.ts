import type { Level } from './define-case.ts';
import type { ExpectedFailures } from './expected-failures.ts';

/** `not_served` is an operation or query of a plugin that the deployment does not have, in a run that allows it. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'not_served';

export interface CaseResult {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly clause: string;
  readonly outcome: Outcome;
  /** The reasons of a failure or a skip. */
  readonly messages: readonly string[];
  /** The reason of an expected failure. */
  readonly expected_failure?: string;
  readonly duration_ms: number;
}

export interface StaleEntry {
  readonly id: string;
  readonly reason: string;
}

export interface Report {
  readonly url: string;
  readonly started_at: string;
  readonly summary: {
    readonly passed: number;
    readonly failed: number;
    readonly failed_as_expected: number;
    readonly skipped: number;
    readonly not_served: number;
    readonly stale: number;
  };
  readonly results: readonly CaseResult[];
  /** Expected failures that pass, or whose case no longer exists. */
  readonly stale: readonly StaleEntry[];
  /** Operations, queries and fields beyond the contract, which break no client. */
  readonly additions: readonly string[];
  /** False with a failed MUST that is not listed, or with a stale entry. */
  readonly ok: boolean;
}

/** Compares results with the expected failures: a new failure is an error, and so is a stale entry. */
export function makeReport(
  run: {
    readonly url: string;
    readonly startedAt: Date;
    readonly isWhole: boolean;
    readonly additions: readonly string[];
  },
  results: readonly CaseResult[],
  expected: ExpectedFailures,
): Report {
  const weighed = results.map((result) => {
    const reason = result.outcome === 'failed' ? expected.get(result.id) : undefined;
    return reason === undefined ? result : { ...result, expected_failure: reason };
  });
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  const stale = [...expected]
    .filter(([id]) => {
      const outcome = outcomes.get(id);
      // A partial run cannot tell whether entries of other cases are stale.
      return outcome === undefined ? run.isWhole : outcome === 'passed';
    })
    .map(([id, reason]) => ({ id, reason }));
  const failed = weighed.filter((result) => result.outcome === 'failed');
  const unexpected = failed.filter((result) => result.expected_failure === undefined);
  return {
    url: run.url,
    started_at: run.startedAt.toISOString(),
    summary: {
      passed: weighed.filter((result) => result.outcome === 'passed').length,
      failed: unexpected.length,
      failed_as_expected: failed.length - unexpected.length,
      skipped: weighed.filter((result) => result.outcome === 'skipped').length,
      not_served: weighed.filter((result) => result.outcome === 'not_served').length,
      stale: stale.length,
    },
    results: weighed,
    stale,
    additions: run.additions,
    ok: stale.length === 0 && !unexpected.some((result) => result.level === 'MUST'),
  };
}

const maxMessagesShown = 8;
const maxAdditionsShown = 20;
const maxColumns = 160;

/** Formats the report as text: one line for each case that needs attention, and the counts. */
export function formatReport(report: Report, options: { readonly isVerbose: boolean }): string {
  const shown = report.results.filter(
    (result) => options.isVerbose || (result.outcome === 'failed' && result.expected_failure === undefined),
  );
  const width = Math.max(4, ...shown.map(({ id }) => id.length));
  const lines = shown.flatMap((result) => [
    cut(`${outcomeText(result).padEnd(9)} ${result.level.padEnd(6)} ${result.id.padEnd(width)}  ${result.title}`),
    ...detailsOf(result),
  ]);
  const stale = report.stale.map(
    ({ id }) => `stale     ${id}: it does not fail; remove it from the expected failures.`,
  );
  const { passed, failed, failed_as_expected, skipped, not_served } = report.summary;
  const counts = [
    `${passed} passed`,
    `${failed} failed`,
    `${failed_as_expected} failed as expected`,
    `${skipped} skipped`,
    `${report.summary.stale} stale`,
    ...(not_served === 0 ? [] : [`${not_served} not served`]),
    ...(report.additions.length === 0 ? [] : [`${report.additions.length} added`]),
  ];
  return [
    ...lines,
    ...stale,
    ...additionsText(report.additions),
    `${report.url}: ${counts.join(', ')}. ${report.ok ? 'Conformant.' : 'Not conformant.'}`,
  ].join('\n');
}

function additionsText(additions: readonly string[]): readonly string[] {
  const more = additions.length - maxAdditionsShown;
  return [
    ...additions.slice(0, maxAdditionsShown).map((place) => cut(`added     ${place}`)),
    ...(more > 0 ? [`          and ${more} more; see the JSON report`] : []),
  ];
}

function outcomeText(result: CaseResult): string {
  if (result.expected_failure !== undefined) return 'expected';
  return result.outcome === 'not_served' ? 'absent' : result.outcome;
}

function detailsOf(result: CaseResult): readonly string[] {
  const messages = result.expected_failure === undefined ? result.messages : [result.expected_failure];
  const more = messages.length - maxMessagesShown;
  const shown = messages.slice(0, maxMessagesShown).map((message) => cut(`            ${message}`, 4 * maxColumns));
  return more > 0 ? [...shown, `            and ${more} more; see the JSON report`] : shown;
}

function cut(line: string, columns = maxColumns): string {
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}
