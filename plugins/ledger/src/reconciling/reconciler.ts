import { invalidInput, notFound, ServiceError, type Transaction } from '@pacioli/core';
import {
  type EventPlanner,
  type EventReads,
  type EventRecorder,
  type EventRow,
  type EventWrites,
  isEqualJson,
} from '../event-blocks/index.ts';
import {
  type DraftWrites,
  type JournalWriter,
  type LimitedAccount,
  type LockedMonths,
  writeJournal,
} from '../journal/index.ts';
import type { Settlements } from '../open-items/index.ts';
import { type Actor, exactMinor, writeConflict } from '../values/index.ts';
import { asPosted } from './deliveries.ts';
import { headerOfEvent, type ReconcilingPlan, type ReconcilingPlanner } from './reconciling-planner.ts';
import type { ReconcilingRows } from './reconciling-rows.ts';
import { comparedOf, type Disposition, decisionOf, type Resolving, requirePossible } from './resolving.ts';

const difference = 'The difference of an account';

/** The request to settle an item; null fields use the values of the preview. */
export interface Resolution {
  readonly eventId: string;
  readonly disposition: Disposition | null;
  readonly postingDate: string | null;
  readonly status: 'draft' | 'posted';
  readonly note: string | null;
  readonly referenceEventId: string | null;
}

/** The entries and event that a resolution booked. */
export interface Resolved {
  readonly disposition: Disposition;
  readonly plan: ReconcilingPlan;
  readonly catchUp: {
    readonly event_id: string;
    readonly posting_date: string;
    readonly status: string;
    readonly entry_id: string | null;
    readonly transaction_id: string | null;
  } | null;
  readonly regenerated: { readonly transaction_ids: string[]; readonly entry_ids: string[] } | null;
}

interface Applied extends Resolved {
  /** The event as the resolution leaves it, to be matched with open items again. */
  readonly settled: EventRow;
  /** Accounts that the entry of the difference reduces and that may not fall below zero. */
  readonly limited: readonly LimitedAccount[];
}

export interface ReconcilerParts {
  readonly planner: EventPlanner;
  readonly plans: ReconcilingPlanner;
  readonly recorder: EventRecorder;
  readonly events: EventReads;
  readonly rows: ReconcilingRows;
  readonly writes: EventWrites;
  readonly drafts: DraftWrites;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
}

/** Settles the difference between the books and a provider in one of three ways (ledger L-140 to L-144). */
export class Reconciler {
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Continues only when the provider delivered nothing new and nobody changed the entries in the meantime. */
  async resolve(tx: Transaction, resolution: Resolution, by: Actor): Promise<Resolved> {
    const { plans, rows, settlements, writes } = this.#parts;
    const id = resolution.eventId;
    return writeJournal<Resolving, Applied>(tx, {
      now: by.now,
      decide: async () => {
        const plan = await plans.plan(tx, id, by.now);
        const disposition = resolution.disposition ?? plan.defaultDisposition;
        await this.#requireReference(tx, resolution, disposition);
        return decisionOf(plan, disposition, resolution.postingDate ?? plan.defaultPostingDate);
      },
      decideAgain: async (first) => {
        const settled = await settlements.matches(tx, { ...first.plan.accepted, discharges_event_id: null });
        await writes.lock(tx, [id, ...settled], { links: false });
        const locked = await plans.requireItem(tx, id);
        if (!isEqualJson(locked.metadata, first.plan.event.metadata)) throw flaggedAgain(id);
        await rows.lockEntries(tx, id);
        const next = decisionOf(await plans.plan(tx, id, by.now), first.disposition, first.postingDate);
        if (!isEqualJson(comparedOf(next), comparedOf(first))) throw writeConflict(next.subject);
        requirePossible(next);
        return next;
      },
      apply: (months, decision) => this.#apply(months, decision, resolution, by),
      settle: async (resolved) => {
        await settlements.rebook(tx, resolved.settled);
        await settlements.announce(tx, resolved.settled.id);
        return resolved;
      },
      limited: ({ limited }) => limited,
    });
  }

  /** Acknowledging posts nothing, so its reason must be recorded: a note, and optionally an event (ledger L-142). */
  async #requireReference(tx: Transaction, resolution: Resolution, disposition: Disposition): Promise<void> {
    const { note, referenceEventId } = resolution;
    if (disposition !== 'acknowledge') {
      if (referenceEventId === null) return;
      throw invalidInput('reference_event_id is only for disposition acknowledge. Leave it out.');
    }
    if (note === null || note.trim() === '')
      throw invalidInput('note: say how the difference was handled; acknowledge needs it.');
    if (referenceEventId !== null && (await this.#parts.events.find(tx, referenceEventId)) === undefined)
      throw notFound(`Event not found: ${referenceEventId}`);
  }

  async #apply(months: LockedMonths, decision: Resolving, resolution: Resolution, by: Actor): Promise<Applied> {
    if (decision.disposition === 'restate') return this.#restate(months, decision, resolution, by);
    if (decision.disposition === 'catch_up') return this.#catchUp(months.tx, decision, resolution, by);
    const done = { disposition: decision.disposition, plan: decision.plan, catchUp: null, regenerated: null };
    return this.#finish(months.tx, done, resolution, by);
  }

  /** Replaces the entries in the books with those of the accepted payload (ledger L-140). */
  async #restate(months: LockedMonths, { plan }: Resolving, resolution: Resolution, by: Actor): Promise<Applied> {
    const { drafts, planner, rows, writer } = this.#parts;
    const { tx } = months;
    await drafts.removeForRestating(months, plan.event.id, by);
    if (plan.acceptedEntries.length > 0) {
      const journal = asPosted(plan.accepted, await planner.plan(tx, plan.accepted, by.now));
      await writer.writeLater(months, { ...plan.accepted, created_at: by.now.toISOString() }, journal);
    }
    const made = await rows.entryIds(tx, plan.event.id);
    const regenerated = {
      transaction_ids: [...new Set(made.flatMap(({ transaction_id }) => transaction_id ?? []))],
      entry_ids: made.map(({ id }) => id),
    };
    return this.#finish(tx, { disposition: 'restate', plan, catchUp: null, regenerated }, resolution, by);
  }

  /** Keeps the existing entries and books the difference in an open month (ledger L-141). */
  async #catchUp(
    tx: Transaction,
    { plan, postingDate }: Resolving,
    resolution: Resolution,
    by: Actor,
  ): Promise<Applied> {
    const done = { disposition: 'catch_up' as const, plan, regenerated: null };
    if (plan.delta.length === 0) return this.#finish(tx, { ...done, catchUp: null }, resolution, by);
    if (postingDate === null) throw invalidInput('No month is open to book the difference in. Reopen one first.');
    const { event, limited } = await this.#parts.recorder.recordPart(
      tx,
      {
        event_type: 'journal_entry_recorded',
        event_class: 'economic',
        event_category: 'adjustment',
        event_action: 'transfer',
        occurred_at: `${postingDate}T00:00:00Z`,
        effective_at: null,
        source: 'system',
        external_id: null,
        external_url: null,
        amount: null,
        currency: plan.accepted.currency,
        description: `Difference of ${plan.event.external_id ?? plan.event.id}`,
        metadata: catchUpMetadata(plan, postingDate, resolution.status),
        dimension_ids: [],
        agent_id: null,
        resource_type: null,
        resource_element_id: null,
        obligated_by_event_id: null,
        discharges_event_id: null,
        apply_handlers: true,
      },
      by,
    );
    const [entry] = await this.#parts.rows.entryIds(tx, event.id);
    const catchUp = {
      event_id: event.id,
      posting_date: postingDate,
      status: resolution.status,
      entry_id: entry?.id ?? null,
      transaction_id: entry?.transaction_id ?? null,
    };
    return { ...(await this.#finish(tx, { ...done, catchUp }, resolution, by)), limited };
  }

  /** Makes the accepted payload the current one, and records the reason in the history (ledger L-143). */
  async #finish(tx: Transaction, resolved: Resolved, resolution: Resolution, by: Actor): Promise<Applied> {
    const { plan } = resolved;
    const past = plan.event.metadata['reconciliation_history'];
    const record = {
      disposition: resolved.disposition,
      resolved_at: by.now.toISOString(),
      resolved_by: by.userId,
      drift_detected_at: plan.event.metadata['drift_detected_at'] ?? null,
      note: resolution.note,
      reference_event_id: resolution.referenceEventId,
      catch_up_event_id: resolved.catchUp?.event_id ?? null,
      delta: plan.delta.map((line) => ({ element_id: line.elementId, delta: exactMinor(line.delta, difference) })),
      prior_entries: plan.priorEntries.map(({ id }) => id),
    };
    const metadata = {
      ...plan.accepted.metadata,
      reconciliation_history: [...(Array.isArray(past) ? past : []), record],
    };
    await this.#parts.rows.write(tx, plan.event.id, { header: headerOfEvent(plan.event), metadata, isFlagged: false });
    return { ...resolved, settled: { ...plan.accepted, metadata }, limited: [] };
  }
}

function catchUpMetadata(
  plan: ReconcilingPlan,
  postingDate: string,
  status: string,
): Readonly<Record<string, unknown>> {
  return {
    posting_date: postingDate,
    memo: `Difference of ${plan.event.external_id ?? plan.event.id}`,
    type: 'adjusting',
    status,
    publish_to_source: false,
    reconciles_event_id: plan.event.id,
    line_items: plan.delta.map(({ elementId, delta }) => ({
      element_id: elementId,
      debit_amount: delta > 0n ? exactMinor(delta, difference) : 0,
      credit_amount: delta < 0n ? exactMinor(-delta, difference) : 0,
    })),
  };
}

/** The error when a sync delivered a newer payload after the caller had decided (ledger L-144). */
function flaggedAgain(id: string): ServiceError {
  return new ServiceError(
    'conflict',
    'FLAGGED_AGAIN',
    `Event ${id} was re-flagged with a newer payload in the meantime. Preview it again.`,
  );
}
