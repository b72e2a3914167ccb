import { isDeepStrictEqual } from 'node:util';
import { invalidInput, notFound, type Transaction } from '@pacioli/core';
import {
  type DraftWrites,
  type JournalDecision,
  type JournalPlan,
  type JournalWriter,
  type LimitedAccount,
  type LockedMonths,
  writeJournal,
} from '../journal/index.ts';
import type { Settlements } from '../open-items/index.ts';
import { type Actor, writeConflict } from '../values/index.ts';
import { datesOfPlan, debitsOfPlan, type EventDispatch } from './event-dispatch.ts';
import { type EventChange, isRetraction, isTerminal, problemOfChange, settledAfter } from './event-life.ts';
import type { EventPlanner } from './event-planner.ts';
import type { EventReads, EventRow } from './event-reads.ts';
import type { EntryOfEvent, EventWrites } from './event-writes.ts';

export interface UpdaterParts {
  readonly planner: EventPlanner;
  readonly dispatch: EventDispatch;
  readonly events: EventReads;
  readonly writes: EventWrites;
  readonly drafts: DraftWrites;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
  readonly disposals: Disposals;
}

/** Restores the schedules that a retracted disposal has ended; schedules implement it. */
export interface Disposals {
  /** Locks the schedule of an event before its retraction. */
  beforeRetraction(tx: Transaction, event: Pick<EventRow, 'id' | 'event_type'>): Promise<void>;
  undo(tx: Transaction, eventId: string, by: Actor & { readonly reason: 'disposal_retracted' }): Promise<void>;
}

/** The effects of a change, decided before anything is written. */
interface Intent extends JournalDecision {
  readonly event: EventRow;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly plan: JournalPlan | undefined;
}

interface Changed {
  readonly event: EventRow;
  /** Accounts that the plan reduces and that may not fall below zero. */
  readonly limited: readonly LimitedAccount[];
}

/** Moves events through their life cycle and corrects their fields (ledger 5.3). */
export class EventUpdater {
  readonly #parts: UpdaterParts;

  constructor(parts: UpdaterParts) {
    this.#parts = parts;
  }

  async update(tx: Transaction, change: EventChange, by: Actor): Promise<EventRow> {
    const { settlements } = this.#parts;
    await writeJournal<Intent, Changed>(tx, {
      now: by.now,
      decide: () => this.#decide(tx, change, by.now),
      decideAgain: async (first) => {
        await this.#lockRows(tx, change, first);
        const intent = await this.#decide(tx, change, by.now);
        // Only the rows that the first plan needs are locked: another schedule would be drafted without its lock.
        if (!isDeepStrictEqual(intent.plan?.effect, first.plan?.effect)) throw writeConflict(intent.subject);
        return intent;
      },
      apply: (months, intent) => this.#apply(months, change, intent, by),
      // Payments and reversals are matched to open items once they are booked (ledger L-90, L-100).
      settle: async (changed, { plan }) => {
        if (plan !== undefined) await settlements.settle(tx, changed.event, { isBooked: true });
        if (change.transition_to !== null || change.discharges_event_id !== null)
          await settlements.announce(tx, changed.event.id);
        return changed;
      },
      limited: (changed) => changed.limited,
    });
    return this.#require(tx, change.event_id);
  }

  async #lockRows(tx: Transaction, change: EventChange, { event, metadata, plan }: Intent): Promise<void> {
    const { dispatch, disposals, settlements, writes } = this.#parts;
    await dispatch.lockRows(tx, event.event_type, plan);
    if (isRetraction(change.transition_to)) await disposals.beforeRetraction(tx, event);
    const links = change.obligated_by_event_id !== null || change.discharges_event_id !== null;
    const successor = change.superseded_by_id === null ? [] : [change.superseded_by_id];
    const settled =
      plan === undefined
        ? []
        : await settlements.matches(tx, { ...event, metadata, discharges_event_id: settledAfter(change, event) });
    const target = change.discharges_event_id ? [change.discharges_event_id] : [];
    await writes.lock(tx, [change.event_id, ...successor, ...target, ...settled], { links });
  }

  async #require(tx: Transaction, id: string): Promise<EventRow> {
    const event = await this.#parts.events.find(tx, id);
    if (event === undefined) throw notFound(`Event not found: ${id}`);
    return event;
  }

  async #decide(tx: Transaction, change: EventChange, now: Date): Promise<Intent> {
    const { planner } = this.#parts;
    const event = await this.#require(tx, change.event_id);
    const problem = problemOfChange(event, change);
    if (problem !== undefined) throw invalidInput(problem);
    const patched = change.metadata_patch['connection_id'];
    await planner.requireConnection(tx, event, 'metadata_patch.connection_id', patched);
    await this.#requireLinks(tx, change);
    if (change.superseded_by_id !== null) await this.#requireSuccessor(tx, change.superseded_by_id);
    const entries = await this.#parts.writes.entriesOf(tx, event.id);
    if (isRetraction(change.transition_to)) {
      requireNothingPosted(event, entries);
      await this.#parts.settlements.requireUnsettled(tx, event);
    }
    const metadata = { ...event.metadata, ...change.metadata_patch };
    const commits = change.transition_to === 'committed' && entries.length === 0 && event.event_class === 'economic';
    if (change.transition_to === 'classified') await planner.requireClassified(tx, { ...event, metadata });
    const plan = commits ? await planner.planIfKnown(tx, changed(event, change, metadata), now) : undefined;
    // A new date affects every existing row, a retraction only its drafts (ledger L-77, L-73).
    const touchesEntries = change.effective_at !== null || isRetraction(change.transition_to);
    const { added = [], followed = [], ...planned } = datesOfPlan(plan);
    const days = entries.map((entry) => entry.posting_date);
    const isUnhandled = commits && plan === undefined;
    return {
      subject: `Event ${event.id}`,
      event,
      metadata: { ...metadata, ...(isUnhandled ? { dispatch_note: 'no_handler' } : noteOf(plan)) },
      plan,
      dates: {
        ...planned,
        added: [...(change.effective_at === null ? [] : [change.effective_at.slice(0, 10)]), ...added],
        changed: touchesEntries ? days : [],
        // A close locks what the drafts of its month settle, so that must not change meanwhile.
        followed: [...followed, ...(change.discharges_event_id === null ? [] : days)],
      },
      locksRows: true,
      debits: debitsOfPlan(plan, event.currency),
    };
  }

  async #requireLinks(tx: Transaction, change: EventChange): Promise<void> {
    const links = { ...change, discharges_event_id: settledAfter(change, { discharges_event_id: null }) };
    await this.#parts.planner.requireEvents(tx, links);
    for (const link of ['obligated_by_event_id', 'discharges_event_id'] as const) {
      const target = links[link];
      if (target !== null && (await this.#parts.writes.leadsTo(tx, link, target, change.event_id)))
        throw invalidInput(`${link}: '${target}' is already linked to this event, and links must not form a cycle.`);
    }
  }

  async #requireSuccessor(tx: Transaction, id: string): Promise<void> {
    const successor = await this.#require(tx, id);
    if (isTerminal(successor.status))
      throw invalidInput(`superseded_by_id: event ${id} is ${successor.status} and cannot replace another.`);
    if (successor.replaces_event_id !== null)
      throw invalidInput(`superseded_by_id: event ${id} replaces ${successor.replaces_event_id} already.`);
  }

  async #apply(months: LockedMonths, change: EventChange, intent: Intent, by: Actor): Promise<Changed> {
    const { event, metadata, plan } = intent;
    const { dispatch, disposals, drafts, settlements, writer, writes } = this.#parts;
    const { tx } = months;
    const next = {
      ...changed(event, change, metadata),
      status: change.transition_to ?? event.status,
      event_action: change.event_action ?? event.event_action,
      obligated_by_event_id: change.obligated_by_event_id ?? event.obligated_by_event_id,
      discharges_event_id: settledAfter(change, event),
      replaced_by_event_id: change.superseded_by_id ?? event.replaced_by_event_id,
    };
    await writes.update(tx, event.id, next);
    if (change.superseded_by_id !== null) await writes.replaces(tx, change.superseded_by_id, event.id);
    if (isRetraction(change.transition_to)) await drafts.retract(months, event.id, by);
    if (retractsDisposal(event, change)) await disposals.undo(tx, event.id, { ...by, reason: 'disposal_retracted' });
    if (change.discharges_event_id !== null) await settlements.change(tx, next);
    if (plan === undefined) return { event: next, limited: [] };
    const limited = await writer.writeLater(months, { ...next, created_at: by.now.toISOString() }, plan);
    await dispatch.apply({ months, eventId: event.id, ...by }, event.event_type, plan);
    return { event: next, limited };
  }
}

/** The metadata that a plan leaves on its event; an event with nothing due is committed all the same, with a note. */
function noteOf(plan: JournalPlan | undefined): JournalPlan['eventMetadata'] {
  return plan?.eventStatus === 'voided' ? { dispatch_note: 'nothing_due' } : plan?.eventMetadata;
}

/** The event with the corrections that its entries depend on. */
function changed(event: EventRow, change: EventChange, metadata: EventRow['metadata']): EventRow {
  return {
    ...event,
    metadata,
    description: change.description === '' ? null : (change.description ?? event.description),
    effective_at: change.effective_at === null ? event.effective_at : new Date(change.effective_at),
  };
}

/** True when the change restores the months of a schedule (ledger L-188). */
function retractsDisposal(event: EventRow, change: EventChange): boolean {
  return event.event_type === 'asset_disposed' && isRetraction(change.transition_to);
}

/** Decided by the entries in the books, not by the status of the event (ledger L-72). */
function requireNothingPosted(event: EventRow, entries: readonly EntryOfEvent[]): void {
  const posted = entries.filter((entry) => entry.status !== 'draft' || entry.is_in_posted).length;
  const isPublished = (event.metadata['qb_external_id'] ?? null) !== null;
  if (posted === 0 && !isPublished) return;
  const what = posted === 0 ? 'it was published' : `${posted} of its journal entries have posted`;
  throw invalidInput(
    `Event ${event.id} cannot be retracted from '${event.status}': ${what}. Reverse the posted entries instead, with an event journal_entry_reversed.`,
  );
}
