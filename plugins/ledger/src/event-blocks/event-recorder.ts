import { type Ids, isServiceError, StoreError, type Transaction } from '@pacioli/core';
import {
  duplicateEvent,
  type JournalDecision,
  type JournalPlan,
  type JournalWork,
  type JournalWriter,
  type LimitedAccount,
  type LockedMonths,
  type NewEvent,
  refusalError,
  type WrittenEntry,
  writeJournal,
} from '../journal/index.ts';
import type { Settlements } from '../open-items/index.ts';
import type { Actor } from '../values/index.ts';
import { datesOfPlan, debitsOfPlan, type EventDispatch } from './event-dispatch.ts';
import { accountsNamed, type EventPlanner, type EventToRecord, requireNamedAccounts } from './event-planner.ts';

export interface RecorderParts {
  readonly ids: Ids;
  readonly planner: EventPlanner;
  readonly dispatch: EventDispatch;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
}

/** A recorded event with the plan that was applied for it, and the entries that the journal wrote. */
export interface RecordedEvent {
  readonly event: NewEvent;
  readonly plan: JournalPlan | undefined;
  readonly entries: readonly WrittenEntry[];
}

/** A recorded event whose limits have not been checked. */
export interface RecordedPart extends RecordedEvent {
  /** Accounts that the plan reduces and that may not fall below zero. */
  readonly limited: readonly LimitedAccount[];
}

interface Recording extends JournalDecision {
  readonly event: NewEvent;
  readonly plan: JournalPlan | undefined;
}

type GivenEvent = EventToRecord & { readonly id: string };

/** Records events and applies the plans of their handlers, in the order of ledger L-82. */
export class EventRecorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  async record(tx: Transaction, requested: EventToRecord, by: Actor): Promise<RecordedEvent> {
    return this.#record(tx, requested, by, ({ limited }) => limited);
  }

  /** Records an event as a part of a larger unit of work, which then checks the accounts with a limit at its end. */
  async recordPart(tx: Transaction, requested: EventToRecord, by: Actor): Promise<RecordedPart> {
    return this.#record(tx, requested, by, () => []);
  }

  async #record(
    tx: Transaction,
    requested: EventToRecord,
    by: Actor,
    limited: (recorded: RecordedPart) => readonly LimitedAccount[],
  ): Promise<RecordedPart> {
    const { ids, planner } = this.#parts;
    await planner.requireValid(tx, requested);
    const given = await planner.inItsCurrency(tx, { ...requested, id: ids.make('evt') });
    let isWriting = false;
    const work: JournalWork<Recording, RecordedPart> = {
      now: by.now,
      decide: () => this.#decide(tx, given, by),
      decideAgain: (first) => this.#lockRows(tx, given, first),
      apply: (months, recording) => {
        isWriting = true;
        return this.#apply(months, given, recording, by);
      },
      settle: async (recorded) => {
        const isBooked = recorded.plan !== undefined;
        const { settlements } = this.#parts;
        const discharged = await settlements.settle(tx, recorded.event, { isBooked });
        if (discharged !== null) await settlements.announce(tx, recorded.event.id);
        return { ...recorded, event: { ...recorded.event, discharges_event_id: discharged } };
      },
      limited,
    };
    try {
      return await writeJournal(tx, work);
    } catch (error) {
      // The write itself reports a duplicate first.
      if (isWriting) throw error;
      return this.#refuse(tx, given, error);
    }
  }

  async #decide(tx: Transaction, given: GivenEvent, by: Actor): Promise<Recording> {
    const { dispatch, planner } = this.#parts;
    const plan = given.apply_handlers ? await planner.plan(tx, given, by.now) : undefined;
    await planner.requireRows(tx, given);
    const { apply_handlers: _applies, ...fields } = given;
    return {
      subject: `Event ${given.id}`,
      event: {
        ...fields,
        metadata: { ...fields.metadata, ...plan?.eventMetadata },
        status: plan?.eventStatus ?? 'captured',
        obligated_by_event_id: fields.obligated_by_event_id ?? plan?.obligatedBy ?? null,
        created_at: by.now.toISOString(),
        created_by: by.userId,
      },
      plan,
      dates: datesOfPlan(plan),
      locksRows: dispatch.locksRows(given.event_type, plan),
      debits: debitsOfPlan(plan, given.currency),
    };
  }

  /**
   * Takes the locks of the plan; no other caller knows the new event, so the decision remains valid. Accounts are checked
   * before, so that a wrong one is refused without a wait for those locks, and again by the write, because they may
   * have changed during that wait.
   */
  async #lockRows(tx: Transaction, given: GivenEvent, first: Recording): Promise<Recording> {
    const { dispatch, planner } = this.#parts;
    const accounts = await planner.findAccounts(tx, accountsNamed(given, first.plan));
    requireNamedAccounts(accounts, given, first.plan);
    await dispatch.lockRows(tx, given.event_type, first.plan);
    return first;
  }

  /** Writes the event and reads its accounts in one statement; a refusal rolls everything back. */
  async #apply(months: LockedMonths, given: GivenEvent, recording: Recording, by: Actor): Promise<RecordedPart> {
    const { dispatch, writer } = this.#parts;
    const { event, plan } = recording;
    const { refusal, accounts, entries } = await writer.write(months, event, plan, accountsNamed(given, plan));
    if (refusal?.kind === 'duplicate') throw refusalError(refusal, event, plan);
    const limited = requireNamedAccounts(accounts, given, plan);
    if (refusal !== undefined) throw refusalError(refusal, event, plan);
    if (plan !== undefined) await dispatch.apply({ months, eventId: event.id, ...by }, event.event_type, plan);
    return { event, plan, entries, limited };
  }

  /**
   * Throws the duplicate error when the event was recorded before, whatever else is wrong with it, otherwise the error
   * (L-82, L-83).
   */
  async #refuse(tx: Transaction, given: GivenEvent, error: unknown): Promise<never> {
    // After a store error the transaction accepts no more statements.
    const isAborted = !isServiceError(error) || error.cause instanceof StoreError;
    if (isAborted || given.external_id === null) throw error;
    const eventId = await this.#parts.writer.findByExternalId(tx, given.source, given.external_id);
    throw eventId === undefined ? error : duplicateEvent(eventId);
  }
}
