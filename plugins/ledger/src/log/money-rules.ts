import { sql } from '@pacioli/core';
import type { LedgerLineItem, LedgerLog, LedgerMonthTotal, LedgerTransaction } from '../rows.gen.ts';
import type { Invariant } from './invariants.ts';

/** The rules by which amounts and currencies of the books agree with each other. */
export const moneyRules: readonly Invariant[] = [
  {
    rule: 'L-50',
    meaning:
      'a transaction is in the currency of its entries, and has the amount of its entry where that is the only one',
    offenders: (graphId) => sql<Pick<LedgerTransaction, 'id'>>`
      SELECT t.id FROM ledger_transaction AS t JOIN (
        SELECT e.transaction_id, e.currency, count(DISTINCT e.id) AS entries, sum(l.debit_amount) AS amount
        FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
        WHERE e.graph_id = ${graphId} AND e.transaction_id IS NOT NULL GROUP BY e.transaction_id, e.currency
      ) AS g ON g.transaction_id = t.id
      WHERE t.graph_id = ${graphId} AND (g.currency <> t.currency OR (g.entries = 1 AND g.amount <> t.amount))`,
  },
  {
    rule: 'L-100a',
    meaning:
      'a settlement links two events that exist and have one currency; payments received settle no bill, and payments made no invoice or sales receipt',
    offenders: (graphId) => sql<{ id: string }>`
      SELECT s.discharging_event_id || '/' || s.originating_event_id AS id FROM ledger_event_settlement AS s
      LEFT JOIN ledger_event AS d ON d.graph_id = s.graph_id AND d.id = s.discharging_event_id
      LEFT JOIN ledger_event AS o ON o.graph_id = s.graph_id AND o.id = s.originating_event_id
      WHERE s.graph_id = ${graphId} AND (d.id IS NULL OR o.id IS NULL OR d.currency <> o.currency
        OR (d.event_type = 'payment_received' AND o.event_type = 'bill_received')
        OR (d.event_type = 'bill_paid' AND o.event_type IN ('invoice_issued', 'sales_receipt_recorded')))`,
  },
  {
    rule: 'L-218',
    meaning: 'the totals of a closed month are the sums of all lines posted up to its end',
    offenders: (graphId) => sql<{ readonly id: LedgerMonthTotal['period'] }>`
      WITH months AS (
        SELECT to_char(posting_date, 'YYYY-MM') AS period, element_id, currency, sum(debit_amount) AS debit, sum(credit_amount) AS credit,
          count(*) AS lines
        FROM ledger_line_item WHERE graph_id = ${graphId} AND is_landed GROUP BY 1, 2, 3
      ), kept AS (
        SELECT name AS period FROM ledger_fiscal_period WHERE graph_id = ${graphId} AND status = 'closed' AND close_receipt IS NOT NULL
        UNION
        SELECT period FROM ledger_month_total WHERE graph_id = ${graphId}
      ), moves AS (
        SELECT period, element_id, currency, debit, credit, lines FROM months
        UNION ALL
        -- An account keeps its totals in months without lines of it.
        SELECT k.period, a.element_id, a.currency, 0, 0, 0 FROM kept AS k
        JOIN (SELECT element_id, currency, min(period) AS since FROM months GROUP BY element_id, currency) AS a ON a.since <= k.period
      ), running AS (
        SELECT period, element_id, currency, sum(sum(debit)) OVER until AS debit_total, sum(sum(credit)) OVER until AS credit_total,
          (sum(sum(lines)) OVER until)::bigint AS line_count
        FROM moves GROUP BY period, element_id, currency WINDOW until AS (PARTITION BY element_id, currency ORDER BY period)
      ), expected AS (
        SELECT period, element_id, currency, debit_total, credit_total, line_count FROM running WHERE period IN (SELECT period FROM kept)
      ), stored AS (
        SELECT period, element_id, currency, debit_total, credit_total, line_count FROM ledger_month_total WHERE graph_id = ${graphId}
      )
      SELECT period AS id FROM (TABLE expected EXCEPT TABLE stored) AS missing
      UNION SELECT period FROM (TABLE stored EXCEPT TABLE expected) AS wrong
      UNION
      -- Lines of a month that is not closed could still change.
      SELECT t.period FROM ledger_month_total AS t LEFT JOIN ledger_fiscal_period AS p ON p.graph_id = t.graph_id AND p.name = t.period
      WHERE t.graph_id = ${graphId} AND p.status IS DISTINCT FROM 'closed'`,
  },
  {
    rule: 'L-100c',
    meaning: 'the stored open amounts are those of the events with their settlements and entries',
    offenders: (graphId) => sql<{ id: string }>`
      SELECT coalesce(a.event_id, i.event_id) AS id FROM (
        SELECT w.* FROM ledger_open_amounts(${graphId}, ARRAY(SELECT v.id FROM ledger_event AS v WHERE v.graph_id = ${graphId}
          AND v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received'))) AS w WHERE w.amount <> 0) AS a
      FULL JOIN (SELECT t.* FROM ledger_open_item AS t WHERE t.graph_id = ${graphId}) AS i ON i.event_id = a.event_id
      WHERE ROW(a.side, a.agent_id, a.currency, a.amount) IS DISTINCT FROM ROW(i.side, i.agent_id, i.currency, i.amount)`,
  },
  {
    rule: 'L-5a',
    meaning: 'the functional currency has not changed since the first entry was posted',
    offenders: (graphId) => sql<{ readonly id: LedgerLog['subject_id'] }>`
      SELECT w.subject_id AS id FROM (
        SELECT l.subject_id, l.id, l.payload->>'functional_currency' AS currency,
          lag(l.payload->>'functional_currency') OVER (PARTITION BY l.subject_id ORDER BY l.id) AS former
        FROM ledger_log AS l WHERE l.graph_id = ${graphId} AND l.kind IN ('entity_added', 'entity_changed')
          AND jsonb_exists(l.payload, 'functional_currency')) AS w
      WHERE w.former IS NOT NULL AND w.currency IS DISTINCT FROM w.former AND EXISTS (
        SELECT FROM ledger_log AS e WHERE e.graph_id = ${graphId} AND e.id < w.id AND (
          (e.kind IN ('entry_written', 'entry_landed') AND e.payload->'entry'->>'status' <> 'draft')
          -- The journal of a new event leaves the status out of posted entries.
          OR (e.kind = 'event_recorded' AND (jsonb_exists(e.payload, 'fields')
            OR jsonb_path_exists(e.payload, '$.journal.entries[*] ? (!(@.status == "draft"))')))))`,
  },
];

/** The rule by which triggers, which cannot ask the chart, know its receivable accounts. */
export const receiptAccounts = (receivables: readonly string[]): Invariant => ({
  rule: 'L-101',
  meaning: 'each receivable account that a posted sales receipt debits is stored as one',
  offenders: (graphId) => sql<{ readonly id: LedgerLineItem['element_id'] }>`
    SELECT DISTINCT l.element_id AS id FROM ledger_event AS v
    JOIN ledger_entry AS e ON e.graph_id = v.graph_id AND e.event_id = v.id AND e.status <> 'draft'
    JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id AND l.debit_amount > 0
    WHERE v.graph_id = ${graphId} AND v.event_type = 'sales_receipt_recorded' AND l.element_id = ANY (${[...receivables]}::text[])
      AND NOT EXISTS (SELECT FROM ledger_receivable_account AS r WHERE r.graph_id = l.graph_id AND r.element_id = l.element_id)`,
});
