import { randomUUID } from 'node:crypto';
import type { BalanceFailure } from './check-balances.ts';
import { findOrCreateGraph } from './find-graph.ts';
import { connectLedger, type LedgerApi } from './ledger-api.ts';
import { journalLimits } from './limits.ts';
import { loadJournal } from './load-journal.ts';
import { type ImportPlan, planImport } from './plan.ts';
import type { JournalProblem } from './problem.ts';
import { withRetries } from './retrying-api.ts';
import type { SkipCounts } from './skip-reasons.ts';
import { findOrCreateMapping, writeChart } from './write-chart.ts';
import { type EntryOutcome, type WriteProgress, writeEntries } from './write-entries.ts';

/** The options of `pacioli import-journal`. */
export interface ImportOptions {
  readonly file: string;
  readonly url: string;
  readonly apiKey: string;
  /** Found or created if no id is given. */
  readonly graphName?: string | undefined;
  readonly graphId?: string | undefined;
  readonly currency?: string | undefined;
  readonly onProgress?: ((progress: WriteProgress) => void) | undefined;
  /** The API to write through; by default the service at `url`. */
  readonly api?: LedgerApi | undefined;
}

/** The outcome of an import. `transactions` and `postings` count only this run. */
export interface ImportReport {
  readonly graph_id: string;
  readonly transactions: number;
  /** Postings of the journal; lines on the rounding account are counted in `rounding_lines`. */
  readonly postings: number;
  readonly rounding_lines: number;
  readonly skipped: SkipCounts;
  readonly currency: string;
  readonly accounts_created: number;
  /** The mapping of the accounts to reporting concepts; null if the graph allows none. */
  readonly mapping_id: string | null;
  /** The day of the last transaction of the journal. */
  readonly last_date: string | null;
  readonly balances_checked: number;
  readonly balance_failures: readonly BalanceFailure[];
  /** The first transactions that were not imported, with file and line. */
  readonly not_taken: readonly JournalProblem[];
  readonly warnings: readonly JournalProblem[];
}

/** Reads a journal and writes it into a graph through the public API; a second run adds nothing. */
export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const plan = planImport(await loadJournal(options.file), { currency: options.currency });
  const api = withRetries(options.api ?? connectLedger(options));
  const runId = randomUUID();
  const graphId = await findOrCreateGraph(api, options, runId);
  const place = { api, graphId, runId };
  const { elementIds, created } = await writeChart(place, plan.accounts);
  const mappingId = await findOrCreateMapping(place);
  const { currency } = plan;
  const writer = { api, graphId, runId, currency, elementIds, onProgress: options.onProgress };
  const outcomes = await writeEntries(writer, plan.entries);
  return reportOf(plan, outcomes, { graphId, created, mappingId });
}

function reportOf(
  plan: ImportPlan,
  outcomes: readonly EntryOutcome[],
  place: { readonly graphId: string; readonly created: number; readonly mappingId: string | null },
): ImportReport {
  const written = plan.entries.filter((_, index) => outcomes[index]?.kind === 'written');
  const lines = written.flatMap((entry) => entry.legs);
  const refused = outcomes.filter((outcome) => outcome.kind === 'refused');
  const present = outcomes.filter((outcome) => outcome.kind === 'already_present').length;
  const notTaken = refused.map(({ entry, message }) => ({ file: entry.file, line: entry.line, message }));
  const details = journalLimits.maxReportDetails;
  return {
    graph_id: place.graphId,
    transactions: written.length,
    postings: lines.filter((leg) => !leg.is_rounding).length,
    rounding_lines: lines.filter((leg) => leg.is_rounding).length,
    skipped: {
      ...plan.skipped,
      ...(present > 0 ? { already_present: present } : {}),
      ...(refused.length > 0 ? { refused: refused.length } : {}),
    },
    currency: plan.currency,
    accounts_created: place.created,
    mapping_id: place.mappingId,
    last_date: plan.entries.at(-1)?.date ?? null,
    balances_checked: plan.balances_checked,
    balance_failures: plan.balance_failures.slice(0, details),
    not_taken: [...plan.refused, ...notTaken].slice(0, details),
    warnings: plan.warnings.slice(0, details),
  };
}
