import Table from 'cli-table3';
import { describeProblem } from './problem.ts';
import type { ImportReport } from './run-import.ts';
import { type SkipReason, skipReasons } from './skip-reasons.ts';

/** Formats the report as text; programs use the report itself as JSON. */
export function formatReport(report: ImportReport): string {
  const { transactions, postings, currency, graph_id } = report;
  const rounding = report.rounding_lines === 0 ? '' : ` and ${report.rounding_lines} rounding lines`;
  const lines = [
    `Wrote ${transactions} transactions with ${postings} postings${rounding} in ${currency} to graph ${graph_id}.`,
    `Created ${report.accounts_created} accounts.`,
    `Checked ${report.balances_checked} balance assertions: ${report.balance_failures.length} failed.`,
  ];
  const skipped = skipTable(report);
  if (skipped !== null) lines.push('', 'Not imported:', skipped);
  const failures = report.balance_failures.map(
    ({ file, line, date, account, expected, actual, currency: unit }) =>
      `${file}:${line}: ${account} should hold ${expected} ${unit} on ${date} but holds ${actual} ${unit}.`,
  );
  for (const [title, sentences] of [
    ['Transactions not imported:', report.not_taken.map(describeProblem)],
    ['Balance assertions that failed:', failures],
    ['Warnings:', report.warnings.map(describeProblem)],
  ] as const) {
    if (sentences.length > 0) lines.push('', title, ...sentences);
  }
  return lines.join('\n');
}

function skipTable(report: ImportReport): string | null {
  // Object.keys returns strings; the table of reasons has exactly these keys.
  const reasons = (Object.keys(skipReasons) as SkipReason[]).filter((reason) => (report.skipped[reason] ?? 0) > 0);
  if (reasons.length === 0) return null;
  const table = new Table({ head: ['Reason', 'Count', 'Of', 'Meaning'], style: { head: [], border: [] } });
  for (const reason of reasons) {
    const { counts, meaning } = skipReasons[reason];
    table.push([reason, String(report.skipped[reason] ?? 0), counts, meaning]);
  }
  return table.toString();
}
