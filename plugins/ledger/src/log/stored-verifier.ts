import { sql, type Transaction } from '@pacioli/core';
import type { LedgerEntry, LedgerEvent, LedgerFiscalPeriod, LedgerTransaction } from '../rows.gen.ts';
import type { BookVerifier, BrokenInvariant, Invariant } from './invariants.ts';
import { logChecks, maxOffenders } from './log-checks.ts';
import { moneyRules, receiptAccounts } from './money-rules.ts';

const invariants: readonly Invariant[] = [
  ...moneyRules,
  {
    rule: 'L-196',
    meaning:
      'each entry has at least two lines in its currency, its debits equal its credits, and each line has an entry',
    offenders: (graphId) => sql<Pick<LedgerEntry, 'id'>>`
      SELECT e.id FROM ledger_entry AS e LEFT JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
      WHERE e.graph_id = ${graphId} GROUP BY e.id, e.currency
      HAVING count(l.id) < 2 OR sum(l.debit_amount) <> sum(l.credit_amount) OR bool_or(l.currency <> e.currency)
      UNION
      SELECT l.entry_id FROM ledger_line_item AS l WHERE l.graph_id = ${graphId}
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = l.graph_id AND e.id = l.entry_id)`,
  },
  {
    rule: 'L-40',
    meaning: 'the lines of an entry have its posting date, and count in balances only once it is posted',
    offenders: (graphId) => sql<Pick<LedgerEntry, 'id'>>`
      SELECT DISTINCT e.id FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
      WHERE e.graph_id = ${graphId} AND (l.is_landed <> (e.status <> 'draft') OR l.posting_date <> e.posting_date)`,
  },
  {
    rule: 'L-204',
    meaning:
      'an entry and its reversal net to zero on every account, and an entry has the status reversed once its reversal is posted',
    offenders: (graphId) => sql<Pick<LedgerEntry, 'id'>>`
      SELECT o.id FROM ledger_entry AS o LEFT JOIN ledger_entry AS r ON r.graph_id = o.graph_id AND r.reversal_of = o.id
      WHERE o.graph_id = ${graphId} AND (o.status = 'reversed')
        -- The automatic reversal of a schedule's entry leaves its original posted (L-184).
        <> coalesce(r.status <> 'draft' AND r.provenance <> 'schedule_derived', false)
      UNION
      SELECT pair.id FROM (
        SELECT r.reversal_of AS id, l.element_id, sum(l.debit_amount - l.credit_amount) AS net
        FROM ledger_entry AS r JOIN ledger_line_item AS l ON l.graph_id = r.graph_id AND l.entry_id IN (r.id, r.reversal_of)
        WHERE r.graph_id = ${graphId} AND r.reversal_of IS NOT NULL AND r.status <> 'draft'
        GROUP BY r.reversal_of, l.element_id HAVING sum(l.debit_amount - l.credit_amount) <> 0) AS pair`,
  },
  {
    rule: 'L-205',
    meaning: 'a retracted event has no entries',
    offenders: (graphId) => sql<Pick<LedgerEvent, 'id'>>`
      SELECT v.id FROM ledger_event AS v WHERE v.graph_id = ${graphId} AND v.status IN ('voided', 'superseded')
        AND EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = v.graph_id AND e.event_id = v.id)`,
  },
  {
    rule: 'L-209',
    meaning: 'no month up to the last closed one is open, and no draft is dated in a closed month',
    offenders: (graphId) => sql<{ readonly id: LedgerFiscalPeriod['name'] }>`
      SELECT p.name AS id FROM ledger_fiscal_period AS p JOIN ledger_fiscal_calendar AS c ON c.graph_id = p.graph_id
      WHERE p.graph_id = ${graphId} AND p.name <= c.closed_through AND p.status = 'open'
      UNION
      SELECT e.id FROM ledger_entry AS e JOIN ledger_fiscal_period AS p
        ON p.graph_id = e.graph_id AND p.name = to_char(e.posting_date, 'YYYY-MM')
      WHERE e.graph_id = ${graphId} AND e.status = 'draft' AND p.status = 'closed'`,
  },
  {
    rule: 'L-90',
    meaning: 'a payment settles no more than its amount, and an event that settles others names one of them',
    offenders: (graphId) => sql<Pick<LedgerEvent, 'id'>>`
      SELECT v.id FROM ledger_event AS v JOIN ledger_event_settlement AS s ON s.graph_id = v.graph_id AND s.discharging_event_id = v.id
      WHERE v.graph_id = ${graphId} GROUP BY v.id, v.event_type, v.amount, v.discharges_event_id
      HAVING (sum(s.amount) > abs(v.amount) AND v.event_type <> 'journal_entry_reversed') OR NOT coalesce(bool_or(s.originating_event_id = v.discharges_event_id), false)`,
  },
  {
    rule: 'L-195',
    meaning: 'an event and its replacement name each other, and a reversal is in the transaction of the reversed entry',
    offenders: (graphId) => sql<Pick<LedgerEvent, 'id'>>`
      SELECT v.id FROM ledger_event AS v JOIN ledger_event AS o ON o.graph_id = v.graph_id AND o.id = v.replaced_by_event_id
      -- A disposal takes the place of many obligations at once, which are void and not superseded (L-188).
      WHERE v.graph_id = ${graphId} AND v.status = 'superseded' AND o.replaces_event_id IS DISTINCT FROM v.id
      UNION
      SELECT o.id FROM ledger_event AS o JOIN ledger_event AS v ON v.graph_id = o.graph_id AND v.id = o.replaces_event_id
      WHERE o.graph_id = ${graphId} AND v.replaced_by_event_id IS DISTINCT FROM o.id
      UNION
      SELECT r.id FROM ledger_entry AS r JOIN ledger_entry AS o ON o.graph_id = r.graph_id AND o.id = r.reversal_of
      -- The entry of a schedule has no transaction; its manual reversal has one, like every recorded event (L-50).
      WHERE r.graph_id = ${graphId} AND o.transaction_id IS NOT NULL AND r.transaction_id IS DISTINCT FROM o.transaction_id`,
  },
  {
    rule: 'L-136',
    meaning: 'exactly the reconciling items store an unresolved payload of their provider',
    offenders: (graphId) => sql<Pick<LedgerEvent, 'id'>>`
      SELECT id FROM ledger_event WHERE graph_id = ${graphId} AND is_reconciling_item <> jsonb_exists(metadata, 'drift_payload')`,
  },
  {
    rule: 'L-112',
    meaning: 'the version of the handler behind a transaction is stored, and each handler equals its latest version',
    offenders: (graphId) => sql<Pick<LedgerTransaction, 'id'>>`
      SELECT t.id FROM ledger_transaction AS t WHERE t.graph_id = ${graphId} AND jsonb_exists(t.metadata, 'handler_id')
        AND NOT EXISTS (SELECT FROM ledger_event_handler_version AS h WHERE h.graph_id = t.graph_id
          AND h.handler_id = t.metadata->>'handler_id' AND h.version = (t.metadata->>'handler_version')::integer)
      UNION
      SELECT h.id FROM ledger_event_handler AS h WHERE h.graph_id = ${graphId} AND NOT EXISTS (
        SELECT FROM ledger_event_handler_version AS v WHERE v.graph_id = h.graph_id AND v.handler_id = h.id AND v.version = h.version
          AND jsonb_populate_record(NULL::ledger_event_handler, v.content || jsonb_build_object('graph_id', h.graph_id)) IS NOT DISTINCT FROM h)
      UNION
      SELECT v.handler_id FROM ledger_event_handler_version AS v WHERE v.graph_id = ${graphId}
        AND NOT EXISTS (SELECT FROM ledger_event_handler AS h WHERE h.graph_id = v.graph_id AND h.id = v.handler_id)`,
  },
];

/** Checks the books against their rules, one statement for each, and against the log and the receipts of closes. */
export class StoredVerifier implements BookVerifier {
  readonly #receivables: (tx: Transaction) => Promise<readonly string[]>;

  /** Takes the reading of the receivable accounts of a chart. */
  constructor(receivables: (tx: Transaction) => Promise<readonly string[]>) {
    this.#receivables = receivables;
  }

  async verify(tx: Transaction): Promise<readonly BrokenInvariant[]> {
    const broken: BrokenInvariant[] = [];
    const known = receiptAccounts(await this.#receivables(tx));
    for (const { rule, meaning, offenders } of [...invariants, known]) {
      const rows = await tx.query(
        sql<{ id: string }>`SELECT id FROM (${offenders(tx.graphId)}) AS found ORDER BY id LIMIT ${maxOffenders}`,
      );
      if (rows.length > 0) broken.push({ rule, meaning, offenders: rows.map(({ id }) => id) });
    }
    for (const { rule, meaning, offenders } of logChecks) {
      const ids = await offenders(tx);
      if (ids.length > 0) broken.push({ rule, meaning, offenders: ids });
    }
    return broken;
  }
}
