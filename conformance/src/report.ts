import type { Level } from './define-case.ts';
import type { ExpectedFailures } from './expected-failures.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

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
    readonly stale: number;
  };
  readonly results: readonly CaseResult[];
  /** Expected failures that pass, or whose case no longer exists. */
  readonly stale: readonly StaleEntry[];
  /** False with a failed MUST that is not listed, or with a stale entry. */
  readonly ok: boolean;
}

/** Compares results with the expected failures: a new failure is an error, and so is a stale entry. */
export function makeReport(
  run: { readonly url: string; readonly startedAt: Date; readonly isWhole: boolean },
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
      stale: stale.length,
    },
    results: weighed,
    stale,
    ok: stale.length === 0 && !unexpected.some((result) => result.level === 'MUST'),
  };
}

const maxMessagesShown = 8;
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
  const { passed, failed, failed_as_expected, skipped } = report.summary;
  const counts = [
    `${passed} passed`,
    `${failed} failed`,
    `${failed_as_expected} failed as expected`,
    `${skipped} skipped`,
    `${report.summary.stale} stale`,
  ];
  return [
    ...lines,
    ...stale,
    `${report.url}: ${counts.join(', ')}. ${report.ok ? 'Conformant.' : 'Not conformant.'}`,
  ].join('\n');
}

function outcomeText(result: CaseResult): string {
  return result.expected_failure === undefined ? result.outcome : 'expected';
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
