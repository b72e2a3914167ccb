import { type Log, type Store, sql } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import type { LedgerResettlement } from '../rows.gen.ts';
import { inOrderOf } from '../values/index.ts';
import { controlAccounts } from './control-accounts.ts';

/** The timeout of the statement that resettles one graph, whose books may be large. */
const maxStatementMs = 3_600_000;

/** Graphs that one statement reads. */
const graphsPerPage = 500;

interface Settling {
  readonly store: Store;
  readonly chart: ChartOfAccounts;
}

/**
 * Applies the settlement rules on currencies, sides and reversals to older books (ledger L-70, L-100, L-100a), and stores
 * the open amounts of their sales receipts (ledger L-100c, L-101). A migration cannot do this, because it must not read
 * from the chart which accounts are receivables and payables. Waits for a graph that another process is upgrading at the
 * same time.
 *
 * A graph that cannot be upgraded aborts the start with an error that names it, because its open items would be wrong
 * without any sign of it. Graphs that were upgraded before remain upgraded, and the next start continues from there.
 */
export async function settleBooksAnew({
  store,
  chart,
  log,
  signal,
}: Settling & { readonly log: Log; readonly signal: AbortSignal }): Promise<void> {
  let after = '';
  let isAny = false;
  for (;;) {
    const page = await waitingGraphs(store, after);
    for (const graphId of page) {
      signal.throwIfAborted();
      await settleGraph({ store, chart }, graphId).catch((cause: unknown) => {
        throw notSettled(graphId, cause);
      });
      isAny = true;
      after = graphId;
    }
    if (page.length < graphsPerPage) break;
  }
  if (isAny)
    log.info('The settlements and open amounts of existing books were recomputed by currency, side and reversals.');
}

async function waitingGraphs(store: Store, after: string): Promise<readonly string[]> {
  const rows = await store.transaction('kernel', (tx) =>
    tx.query(sql<Pick<LedgerResettlement, 'graph_id'>>`
      SELECT graph_id FROM ledger_resettlement WHERE graph_id > ${after} ORDER BY graph_id LIMIT ${graphsPerPage}`),
  );
  return rows.map(({ graph_id }) => graph_id);
}

async function settleGraph({ store, chart }: Settling, graphId: string): Promise<void> {
  await store.transaction(
    { graphId },
    async (tx) => {
      const [waiting] = await tx.query(sql<Pick<LedgerResettlement, 'step'>>`
        SELECT step FROM ledger_resettlement WHERE graph_id = ${graphId} FOR UPDATE`);
      if (waiting === undefined) return;
      const { receivable, payable } = await controlAccounts(tx, chart);
      if (waiting.step === 'settlements')
        await tx.query(sql`
          SELECT ledger_settle_anew(${graphId}, ${receivable}::text[], ${payable}::text[])`);
      await tx.query(sql`SELECT ledger_open_receipts(${graphId}, ${receivable}::text[], ARRAY(
        SELECT id FROM ledger_event WHERE graph_id = ${graphId} AND ${inOrderOf('occurred_at')} AND event_type = 'sales_receipt_recorded'))`);
      await tx.query(sql`DELETE FROM ledger_resettlement WHERE graph_id = ${graphId}`);
    },
    { maxStatementMs },
  );
}

function notSettled(graphId: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `The settlements of graph ${graphId} could not be upgraded (${reason}). The service did not start, because the open items of this graph would be wrong. Correct its books in the database, or restore the previous version with its backup, and start again. Graphs that were upgraded before it remain upgraded.`,
    { cause },
  );
}
