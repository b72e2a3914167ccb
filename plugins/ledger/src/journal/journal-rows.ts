import type { Ids } from '@pacioli/core';
import type { LedgerEvent } from '../rows.gen.ts';
import type { JournalPlan, PlannedEntry } from './journal-plan.ts';
import { totals } from './lines.ts';

/** An event as it is stored. */
export interface NewEvent
  extends Pick<
    LedgerEvent,
    | 'id'
    | 'event_type'
    | 'event_category'
    | 'event_action'
    | 'source'
    | 'external_id'
    | 'external_url'
    | 'amount'
    | 'currency'
    | 'description'
    | 'dimension_ids'
    | 'agent_id'
    | 'resource_type'
    | 'resource_element_id'
    | 'obligated_by_event_id'
    | 'discharges_event_id'
    | 'created_by'
  > {
  readonly event_class: string;
  readonly status: string;
  /** Times are RFC 3339. */
  readonly occurred_at: string;
  readonly effective_at: string | null;
  readonly created_at: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The fields that the journal copies from its event. */
export type WrittenEvent = Pick<
  NewEvent,
  'id' | 'event_type' | 'event_category' | 'source' | 'external_id' | 'currency' | 'description' | 'created_at'
>;

export type JournalRows = ReturnType<typeof journalRows>;

/** The rows that a plan adds to the journal, under new ids; none for entries that its handler writes. */
export function journalRows(ids: Ids, event: WrittenEvent, plan: JournalPlan | undefined) {
  const groups = groupsOf(plan).map((entries) => ({ id: plan?.transactionId ?? ids.make('txn'), entries }));
  const transactions =
    plan === undefined || plan.transactionId !== null
      ? []
      : groups.map(({ id, entries }) => ({ id, ...transactionRow(event, plan, entries) }));
  const entries = groups.flatMap((group) =>
    group.entries.map((entry) => ({
      id: ids.make('je'),
      transaction_id: group.id,
      type: entry.type,
      status: entry.status,
      posting_date: entry.postingDate,
      memo: entry.memo,
      reversal_of: entry.reversalOf,
      posted_at: entry.status === 'posted' ? event.created_at : null,
      lines: entry.lines,
    })),
  );
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, index) => ({
      entry_id: entry.id,
      line_order: index + 1,
      id: ids.make('li'),
      element_id: line.elementId,
      posting_date: entry.posting_date,
      is_landed: entry.status === 'posted',
      debit_amount: line.debit.toString(),
      credit_amount: line.credit.toString(),
      description: line.description,
      metadata: line.metadata,
    })),
  );
  return {
    transactions,
    entries: entries.map(({ lines: _lines, ...entry }) => entry),
    lines,
    postedCount: entries.filter(({ status }) => status === 'posted').length,
    existingTransactionId: plan?.transactionId ?? null,
    provenance: plan?.provenance ?? 'manual_entry',
    reversedIds: entries.flatMap((entry) => (entry.reversal_of === null ? [] : [entry.reversal_of])),
  };
}

/** The entries of each new transaction: all in one, or one in each. */
function groupsOf(plan: JournalPlan | undefined): readonly (readonly PlannedEntry[])[] {
  if (plan === undefined || plan.writtenBy === 'handler' || plan.entries.length === 0) return [];
  return plan.oneTransactionEach === true ? plan.entries.map((entry) => [entry]) : [plan.entries];
}

function transactionRow(event: WrittenEvent, plan: JournalPlan, entries: readonly PlannedEntry[]) {
  const isPosted = entries.every((entry) => entry.status === 'posted');
  return {
    amount: entries.reduce((sum, entry) => sum + totals(entry.lines).debit, 0n).toString(),
    date: entries.map((entry) => entry.postingDate).sort()[0],
    description: event.description ?? entries[0]?.memo ?? null,
    status: isPosted ? 'posted' : 'pending',
    posted_at: isPosted ? event.created_at : null,
    // A replay needs the version of the rule (ledger L-112).
    metadata: plan.rule === undefined ? null : { handler_id: plan.rule.id, handler_version: plan.rule.version },
  };
}
