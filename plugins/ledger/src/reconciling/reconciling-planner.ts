import { isServiceError, notFound, ServiceError, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts } from '@pacioli/taxonomy';
import type { EventPlanner, EventReads, EventRow } from '../event-blocks/index.ts';
import {
  closedMonths,
  MetadataProblem,
  maxEntriesPerEvent,
  type PlannedEntry,
  readJournal,
  resolveAccounts,
} from '../journal/index.ts';
import { boundsOf } from '../values/index.ts';
import { accepting, type ComparedLine, type DeltaLine, deltaOf, restateBlockers } from './reconciling.ts';
import type { EventHeader, PriorEntryRow, ReconcilingRows } from './reconciling-rows.ts';

/** The books and the provider's record of an event in comparison, with the effect of each way to settle it. */
export interface ReconcilingPlan {
  readonly event: EventRow;
  /** The event as the provider has it now. */
  readonly accepted: EventRow;
  readonly priorEntries: readonly PriorEntryRow[];
  readonly acceptedEntries: readonly PlannedEntry[];
  readonly delta: readonly (DeltaLine & { readonly account: Account | undefined })[];
  readonly closedPeriods: readonly string[];
  readonly blockers: readonly string[];
  readonly unmapped: readonly string[];
  readonly defaultDisposition: 'restate' | 'catch_up';
  readonly defaultPostingDate: string | null;
}

/** Compares the entries of an event with the current record of its provider; read-only (ledger L-137 to L-139). */
export class ReconcilingPlanner {
  readonly #parts: {
    readonly chart: ChartOfAccounts;
    readonly planner: EventPlanner;
    readonly events: EventReads;
    readonly rows: ReconcilingRows;
  };

  constructor(parts: {
    readonly chart: ChartOfAccounts;
    readonly planner: EventPlanner;
    readonly events: EventReads;
    readonly rows: ReconcilingRows;
  }) {
    this.#parts = parts;
  }

  /** Requires an event that waits for a user to settle it. */
  async requireItem(tx: Transaction, eventId: string): Promise<EventRow> {
    const event = await this.#parts.events.find(tx, eventId);
    if (event === undefined) throw notFound(`Event not found: ${eventId}`);
    if (event.is_reconciling_item) return event;
    const past = event.metadata['reconciliation_history'];
    const last = Array.isArray(past) ? past.at(-1) : undefined;
    const how = last === undefined ? '' : ` It was resolved by ${last.disposition} at ${last.resolved_at}.`;
    throw new ServiceError(
      'conflict',
      'NOT_A_RECONCILING_ITEM',
      `Event ${eventId} is not a reconciling item — its payload matches the source system.${how}`,
    );
  }

  async plan(tx: Transaction, eventId: string, now: Date): Promise<ReconcilingPlan> {
    const { chart, rows } = this.#parts;
    const event = await this.requireItem(tx, eventId);
    const accepted = acceptedEvent(event);
    const priorEntries = await rows.priorEntries(tx, eventId);
    const { entries: acceptedEntries, unmapped } = await this.#accepted(tx, accepted, now);
    const prior = await rows.nets(
      tx,
      priorEntries.map(({ id }) => id),
    );
    const lines = acceptedEntries.flatMap((entry) => entry.lines);
    const delta = deltaOf(
      prior.map(({ element_id, net }) => ({ elementId: element_id, externalId: null, net: BigInt(net) })),
      lines.map((line): ComparedLine => {
        const externalId = 'externalId' in line && typeof line.externalId === 'string' ? line.externalId : null;
        return { elementId: line.elementId === '' ? null : line.elementId, externalId, net: line.debit - line.credit };
      }),
    );
    const accounts = await chart.find(
      tx,
      delta.flatMap(({ elementId }) => elementId ?? []),
    );
    const closedPeriods = await closedMonths(
      tx,
      priorEntries.map(({ posting_date }) => posting_date),
    );
    const blockers = restateBlockers(priorEntries, closedPeriods);
    const open = await rows.firstOpenMonth(tx, now.toISOString().slice(0, 10));
    return {
      event,
      accepted,
      priorEntries,
      acceptedEntries,
      delta: delta
        .map((line) => ({ ...line, account: accounts.get(line.elementId ?? '') }))
        .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
      closedPeriods,
      blockers,
      unmapped,
      defaultDisposition: blockers.length > 0 ? 'catch_up' : 'restate',
      defaultPostingDate: open === undefined ? null : boundsOf(open).end,
    };
  }

  /** The entries of the accepted payload; a payload without entries means that the record is gone (ledger L-134). */
  async #accepted(
    tx: Transaction,
    event: EventRow,
    now: Date,
  ): Promise<{ readonly entries: readonly PlannedEntry[]; readonly unmapped: readonly string[] }> {
    const { chart, planner } = this.#parts;
    const { entries } = event.metadata;
    if (Array.isArray(entries) && entries.length === 0) return { entries: [], unmapped: [] };
    if (entries === undefined && event.metadata['line_items'] === undefined) {
      const plan = await planner.planIfKnown(tx, event, now);
      return { entries: plan?.entries ?? [], unmapped: [] };
    }
    try {
      const requested = readJournal(event.metadata).entries.slice(0, maxEntriesPerEvent);
      const resolved = await resolveAccounts(tx, chart, event, requested);
      const unmapped = [...new Set(resolved.unmapped.map(({ externalId }) => externalId))].sort();
      return { entries: resolved.entries.map((entry) => ({ ...entry, status: 'posted', reversalOf: null })), unmapped };
    } catch (error) {
      if (error instanceof MetadataProblem && !isServiceError(error))
        throw new ServiceError('invalid_input', 'INVALID_INPUT', `The new payload: ${error.message}`, { cause: error });
      throw error;
    }
  }
}

/** The event as its provider delivered it last. */
function acceptedEvent(event: EventRow): EventRow {
  const payload = fieldsOf(event.metadata['drift_payload']);
  const header = headerOfEvent(event);
  return {
    ...event,
    ...header,
    occurred_at: new Date(header.occurred_at),
    effective_at: header.effective_at === null ? null : new Date(header.effective_at),
    metadata: accepting(event.metadata, payload),
  };
}

/** The provider's fields of the event other than its payload. */
export function headerOfEvent(event: EventRow): EventHeader {
  const stored = event.metadata['drift_header'];
  if (typeof stored === 'object' && stored !== null) return stored as EventHeader; // Only Deliveries writes this key (ledger L-76).
  return {
    occurred_at: event.occurred_at.toISOString(),
    effective_at: event.effective_at?.toISOString() ?? null,
    amount: event.amount,
    currency: event.currency,
    description: event.description,
    agent_id: event.agent_id,
    external_url: event.external_url,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function sortKey(line: DeltaLine & { readonly account: Account | undefined }): string {
  return `${line.account?.code ?? ''} ${line.elementId ?? ''} ${line.externalId ?? ''}`;
}
