import { type Log, type Store, sql } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';

/** The books of one graph are one statement, and may be large. */
const statement_ms_max = 3_600_000;

/**
 * Brings books that were kept before settlements followed currencies, sides and reversals under those rules (ledger L-70,
 * L-100, L-100a). A migration cannot do it, because it may not ask the chart which accounts are receivables and payables.
 * A graph whose books another process brings up at the same moment is waited for.
 */
export async function settleBooksAnew({
  store,
  chart,
  log,
}: {
  readonly store: Store;
  readonly chart: ChartOfAccounts;
  readonly log: Log;
}): Promise<void> {
  const graphs = await store.transaction('kernel', (tx) =>
    tx.query(sql<{ graph_id: string }>`SELECT graph_id FROM ledger_resettlement ORDER BY graph_id`),
  );
  for (const { graph_id: graphId } of graphs) {
    await store.transaction(
      { graphId },
      async (tx) => {
        const waiting = await tx.query(sql`SELECT FROM ledger_resettlement WHERE graph_id = ${graphId} FOR UPDATE`);
        if (waiting.length === 0) return;
        const accounts = await chart.all(tx, { includeInactive: true });
        const of = (side: string): string[] =>
          accounts.filter((account) => account.subClassification === side).map(({ id }) => id);
        await tx.query(sql`
          SELECT ledger_settle_anew(${graphId}, ${of('receivable')}::text[], ${of('payable')}::text[])`);
        await tx.query(sql`DELETE FROM ledger_resettlement WHERE graph_id = ${graphId}`);
      },
      { statement_ms_max },
    );
  }
  if (graphs.length > 0) log.info('Settlements of earlier books follow their currency, side and reversals now.');
}
