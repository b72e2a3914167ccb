import { sql, type Transaction } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import type {
  ClearingAccounts,
  ClearingFlows,
  EntryFlow,
  EntryFlowFilter,
  EntryFlows,
  EntryOfFlows,
  FlowRange,
} from './entry-flows.ts';

const rowsPerBatch = 5_000;
const maxRanges = 100;

type FlowRow = Pick<LedgerLineItem, 'entry_id' | 'element_id' | 'posting_date'> & {
  readonly tag: string | null;
  readonly flow: string;
};

export class StoredEntryFlows implements EntryFlows {
  async *entries(tx: Transaction, filter: EntryFlowFilter): AsyncIterable<EntryOfFlows> {
    const { ranges, accountIds, flowElementIds } = filter;
    if (ranges.length > maxRanges) throw new Error(`At most ${maxRanges} ranges are read at once.`);
    if (ranges.length === 0 || (accountIds.length === 0 && flowElementIds.length === 0)) return;
    let current: { id: EntryOfFlows['id']; postingDate: EntryOfFlows['postingDate'] } | undefined;
    let flows: EntryFlow[] = [];
    for await (const rows of tx.stream(entryRows(tx.graphId, filter), rowsPerBatch)) {
      for (const row of rows) {
        if (current !== undefined && row.entry_id !== current.id) {
          yield { ...current, flows };
          flows = [];
        }
        current = { id: row.entry_id, postingDate: row.posting_date };
        flows.push({ accountId: row.element_id, flowElementId: row.tag, flow: BigInt(row.flow) });
      }
    }
    if (current !== undefined) yield { ...current, flows };
  }

  async clearing(
    tx: Transaction,
    range: FlowRange,
    currency: string,
    { flowIds, equityIds, summaryIds }: ClearingAccounts,
  ): Promise<ClearingFlows> {
    const graphId = tx.graphId;
    const [flows, equity] = [
      [...flowIds, ...summaryIds],
      [...equityIds, ...summaryIds],
    ];
    // Few entries touch the equity side, so the balances of the accounts that these close are computed last. A balance
    // is that of the last month with totals before the day (ledger L-218), and the lines since then.
    const rows = await tx.query(sql<ClosingRow>`
      WITH touching AS (
        SELECT DISTINCT entry_id FROM ledger_line_item
        WHERE graph_id = ${graphId} AND is_landed AND posting_date BETWEEN ${range.start}::date AND ${range.end}::date
          AND element_id = ANY (${equity}::text[]) AND currency = ${currency}
      ), lines AS (
        SELECT l.entry_id, l.posting_date, l.element_id, sum(l.credit_amount - l.debit_amount) AS flow
        FROM touching AS t CROSS JOIN LATERAL (${linesOfEntry(graphId)}) AS l
        GROUP BY l.entry_id, l.posting_date, l.element_id
      ), closing AS (
        SELECT entry_id FROM lines GROUP BY entry_id
        HAVING bool_and(element_id = ANY (${[...flows, ...equityIds]}::text[])) AND bool_or(element_id = ANY (${flows}::text[]))
          AND (bool_or(element_id = ANY (${[...equityIds]}::text[])) OR bool_or(element_id = ANY (${[...flowIds]}::text[])))
      ), closed AS (
        -- A month that is computed before it is compared can be looked up in the index in spite of row security.
        SELECT DISTINCT posting_date, element_id, to_char(posting_date, 'YYYY-MM') AS month
        FROM lines JOIN closing USING (entry_id) WHERE element_id = ANY (${[...flowIds]}::text[])
      -- Not inlined, because every line of an entry would compute the balances again.
      ), kept AS MATERIALIZED (
        SELECT c.posting_date, c.element_id, coalesce((
          SELECT t.debit_total - t.credit_total FROM ledger_month_total AS t
          WHERE t.graph_id = ${graphId} AND t.period = month.period AND t.element_id = c.element_id AND t.currency = ${currency}), 0)
        + coalesce((
          SELECT sum(l.debit_amount - l.credit_amount) FROM ledger_line_item AS l
          WHERE l.graph_id = ${graphId} AND l.is_landed AND l.element_id = c.element_id AND l.currency = ${currency}
            AND l.posting_date >= month.since AND l.posting_date <= c.posting_date), 0) AS balance
        FROM closed AS c CROSS JOIN LATERAL (
          -- Row security admits no coalesce() in an index condition, so it stands here instead of in the comparison.
          SELECT max(period) AS period,
            coalesce(((max(period) || '-01')::date + interval '1 month')::date, '-infinity') AS since
          FROM ledger_month_total WHERE graph_id = ${graphId} AND period < c.month
        ) AS month
      )
      SELECT l.entry_id, l.posting_date, l.element_id, l.flow::text AS flow, k.balance::text AS balance
      FROM lines AS l JOIN closing USING (entry_id) LEFT JOIN kept AS k USING (posting_date, element_id)
      ORDER BY l.entry_id, l.element_id`);
    return clearingFlows(rows);
  }
}

type ClosingRow = Pick<LedgerLineItem, 'entry_id' | 'element_id' | 'posting_date'> &
  Pick<FlowRow, 'flow'> & {
    /** Debits minus credits at the end of the day, of a flow account that the entry touches; null for the others. */
    readonly balance: string | null;
  };

/** Sorts entries by whether they leave a balance on the accounts that they close. */
function clearingFlows(rows: readonly ClosingRow[]): ClearingFlows {
  const open = new Set(rows.flatMap(({ entry_id, balance }) => (balance === null || balance === '0' ? [] : entry_id)));
  const unfinished = rows.filter((row) => open.has(row.entry_id) && lowersBalance(row));
  return {
    cleared: rows
      .filter(({ entry_id }) => !open.has(entry_id))
      .map((row) => ({
        entryId: row.entry_id,
        postingDate: row.posting_date,
        accountId: row.element_id,
        flow: BigInt(row.flow),
      })),
    unfinishedDays: [...new Set(unfinished.map((row) => row.posting_date))].toSorted(),
  };
}

function lowersBalance({ balance, flow }: ClosingRow): boolean {
  if (balance === null) return false;
  const [after, before] = [BigInt(balance), BigInt(balance) + BigInt(flow)];
  return (after < 0n ? -after : after) < (before < 0n ? -before : before);
}

/**
 * The lines of an entry of `t` or `e`, by its key: the planner expects more entries than there are and would read all
 * lines of the books. `OFFSET 0` keeps it from that.
 */
function linesOfEntry(graphId: string, of: 't' | 'e' = 't') {
  return sql`SELECT * FROM ledger_line_item WHERE graph_id = ${graphId} AND entry_id = ${sql.ref(of)}.entry_id OFFSET 0`;
}

/**
 * The entries are found by the index of balances and by that of tagged lines, each range with bounds of its own, from
 * which the planner can tell how few lines match.
 */
function entryRows(graphId: string, { ranges, currency, accountIds, flowElementIds }: EntryFlowFilter) {
  const found = ranges.map(
    ({ start, end }) => sql`
      SELECT entry_id FROM ledger_line_item
      WHERE graph_id = ${graphId} AND is_landed AND posting_date BETWEEN ${start}::date AND ${end}::date
        AND element_id = ANY (${[...accountIds]}::text[]) AND currency = ${currency}
      UNION
      SELECT entry_id FROM ledger_line_item
      WHERE graph_id = ${graphId} AND is_landed AND posting_date BETWEEN ${start}::date AND ${end}::date
        AND (metadata ->> 'flow_element_id') IS NOT NULL AND metadata ->> 'flow_element_id' = ANY (${[...flowElementIds]}::text[])
        AND currency = ${currency}`,
  );
  return sql<FlowRow>`
    SELECT l.entry_id, l.posting_date, l.element_id, l.metadata ->> 'flow_element_id' AS tag,
      sum(l.credit_amount - l.debit_amount)::text AS flow
    FROM (${sql.join(found, sql` UNION `)}) AS e
    CROSS JOIN LATERAL (${linesOfEntry(graphId, 'e')}) AS l
    GROUP BY l.entry_id, l.posting_date, l.element_id, tag
    ORDER BY l.entry_id, l.element_id, tag`;
}
