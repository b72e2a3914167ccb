import { type Ids, invalidInput, isServiceError, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import type { Account } from '@pacioli/taxonomy';
import { accountsMissing } from './account-hold.ts';
import { bookingRefusal } from './booking-refusal.ts';
import type { EventPlanner, EventToRecord } from './event-planner.ts';
import { requireWithinReach } from './posting-reach.ts';
import { requireNotNegative } from './store/account-limits.ts';
import type { JournalWriter, NewEvent, Refusal } from './store/journal-writer.ts';
import { firstClosed, firstMonth, shareMonths } from './store/period-fence.ts';
import type { Settlements } from './store/settlements.ts';
import type { JournalPlan, PlanWork } from './tokens.ts';

export interface RecorderParts {
  readonly ids: Ids;
  readonly planner: EventPlanner;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
}

/** An event that was recorded, and what it did to the journal. */
export interface RecordedEvent {
  readonly event: NewEvent;
  readonly plan: JournalPlan | undefined;
}

/** Records events and carries out what their handlers plan, in the order of ledger L-82. */
export class EventRecorder {
  readonly #ids: Ids;
  readonly #planner: EventPlanner;
  readonly #writer: JournalWriter;
  readonly #settlements: Settlements;

  constructor(parts: RecorderParts) {
    this.#ids = parts.ids;
    this.#planner = parts.planner;
    this.#writer = parts.writer;
    this.#settlements = parts.settlements;
  }

  async record(
    tx: Transaction,
    asked: EventToRecord,
    by: { readonly userId: string; readonly now: Date },
  ): Promise<RecordedEvent> {
    await this.#planner.requireValid(tx, asked);
    const id = this.#ids.make('evt');
    const given = await this.#planner.inItsCurrency(tx, { ...asked, id });
    const plan = await this.#decide(tx, given, by.now);
    const { apply_handlers: _applies, ...fields } = given;
    const event: NewEvent = {
      ...fields,
      id,
      metadata: { ...fields.metadata, ...plan?.eventMetadata },
      status: plan?.eventStatus ?? 'captured',
      obligated_by_event_id: fields.obligated_by_event_id ?? plan?.obligatedBy ?? null,
      created_at: by.now.toISOString(),
      created_by: by.userId,
    };
    const limited = await this.#write(tx, given, event, plan);
    if (plan !== undefined) await carryOut(tx, plan, { eventId: event.id, ...by });
    const discharges_event_id = await this.#settlements.settle(tx, event, { isBooked: plan !== undefined });
    // Last, because others who take from these accounts wait from here on.
    await requireNotNegative(tx, limited);
    return { event: { ...event, discharges_event_id }, plan };
  }

  /** What the event does. A second delivery is told so first, whatever else is wrong with it (ledger L-82, L-83). */
  async #decide(
    tx: Transaction,
    given: EventToRecord & { readonly id: string },
    now: Date,
  ): Promise<JournalPlan | undefined> {
    try {
      const plan = given.apply_handlers ? await this.#planner.plan(tx, given, now) : undefined;
      if (plan !== undefined) await this.#planner.requireRoom(tx, plan, given.currency);
      await this.#planner.requireRows(tx, given);
      if (plan !== undefined) await requireWithinReach(tx, datesOfPlan(plan), now);
      return plan;
    } catch (error) {
      return this.#refuse(tx, given, error);
    }
  }

  /** Fails with the error, or, for a second delivery, with that. */
  async #refuse(tx: Transaction, given: EventToRecord, error: unknown): Promise<never> {
    // After an error of the store the transaction cannot be asked any more.
    const isAborted = !isServiceError(error) || error.cause instanceof StoreError;
    if (isAborted || given.external_id === null) throw error;
    const eventId = await this.#writer.findByExternalId(tx, given.source, given.external_id);
    throw eventId === undefined ? error : duplicateError(eventId);
  }

  /**
   * Keeps the months open and the accounts where they are, and writes the event; answers the accounts that may not fall below
   * zero. The session takes the locks before it looks for the accounts, so that those it finds stay (ledger L-150). The
   * statements travel together, and whatever one of them refuses, the transaction takes the rows of all back.
   */
  async #write(
    tx: Transaction,
    given: EventToRecord,
    event: NewEvent,
    plan: JournalPlan | undefined,
  ): Promise<readonly Account[]> {
    const fenced = shareMonths(tx, plan === undefined ? [] : [...datesOfPlan(plan), ...(plan.alsoFenced ?? [])]);
    const limited = this.#planner.requireNamedAccounts(tx, given, plan);
    const held = Promise.all([fenced, limited, plan?.lockFirst && fenced.then(() => plan.lockFirst?.(tx))]);
    // What a plan locks first is locked before rows are.
    if (plan?.lockFirst !== undefined) await held.catch((error: unknown) => this.#refuse(tx, given, error));
    const [kept, wrote] = await Promise.allSettled([
      held,
      written(() => this.#writer.write(tx, event, usuallyWritten(plan))),
    ]);
    const refusal = wrote.status === 'fulfilled' ? wrote.value : undefined;
    if (refusal?.kind === 'duplicate') throw refusalError(refusal, event, plan);
    if (kept.status === 'rejected') throw kept.reason;
    if (wrote.status === 'rejected') throw wrote.reason;
    if (refusal !== undefined) throw refusalError(refusal, event, plan);
    return kept.value[1];
  }
}

/** The days that a plan writes to. */
export function datesOfPlan(plan: JournalPlan): readonly string[] {
  return [...plan.entries.map((entry) => entry.postingDate), ...(plan.alsoDated ?? [])];
}

/** The plan without the entries that it writes itself. */
export function usuallyWritten<Plan extends JournalPlan | undefined>(plan: Plan): Plan {
  return plan?.carryOut === undefined ? plan : { ...plan, entries: [] };
}

/** What a plan does itself; its months are fenced already, and must be open (ledger L-151). */
export async function carryOut(tx: Transaction, plan: JournalPlan, work: Omit<PlanWork, 'tx'>): Promise<void> {
  if (plan.carryOut !== undefined) {
    await requireOpen(tx, datesOfPlan(plan));
    await plan.carryOut({ tx, ...work });
  }
  await plan.followUp?.({ tx, ...work });
}

/** The outcome of a write of the journal; an entry that was reversed by another caller meanwhile is refused (ledger L-61). */
export async function written(write: () => Promise<Refusal | undefined>): Promise<Refusal | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof StoreError && error.constraint === 'ledger_entry_reversal') {
      throw invalidInput('Journal entry already has a reversing entry; an entry is reversed at most once.');
    }
    throw error;
  }
}

/** What a caller reads of a refusal. */
export function refusalError(
  refusal: Refusal,
  event: Pick<NewEvent, 'currency'>,
  plan: JournalPlan | undefined,
): ServiceError {
  if (refusal.kind === 'duplicate') return duplicateError(refusal.eventId);
  if (refusal.kind === 'no-account') return accountsMissing(refusal.ids);
  if (refusal.kind === 'no-transaction')
    return invalidInput(`metadata.transaction_id: transaction '${plan?.transactionId}' was not found in this graph.`);
  if (refusal.kind === 'other-currency') {
    return invalidInput(
      `metadata.transaction_id: transaction '${plan?.transactionId}' is in ${refusal.currency}; entry is in ${event.currency}`,
    );
  }
  const date = plan?.entries.map((entry) => entry.postingDate).find((day) => day.startsWith(refusal.period));
  return closedPeriod(refusal.period, date ?? refusal.period, refusal.begins);
}

/** Refuses days of which one lies in a closed month (ledger L-151). */
export async function requireOpen(tx: Transaction, dates: readonly string[]): Promise<void> {
  const closed = await firstClosed(tx, dates);
  if (closed !== undefined) throw closedPeriod(closed.slice(0, 7), closed, (await firstMonth(tx)) ?? null);
}

/** Ledger L-151. Months before the one with which the calendar begins have no row of their own that could be reopened (L-167). */
export function closedPeriod(period: string, date: string, begins: string | null): ServiceError {
  const instead =
    begins === null || period >= begins
      ? 'Reopen the period first if an adjustment is needed.'
      : `The calendar begins with ${begins}, and no period before it can be reopened. Use a date in an open period.`;
  return bookingRefusal(
    'closed_period',
    `Cannot write to closed period '${period}' (posting_date=${date}). ${instead}`,
  );
}

/** Ledger L-83: the id of the event that is there already travels in a header. */
function duplicateError(eventId: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Event already ingested for this source and external_id', {
    headers: { 'X-Existing-Event-Id': eventId },
  });
}
