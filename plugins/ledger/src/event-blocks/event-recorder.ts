import { type Ids, invalidInput, isServiceError, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import type { PostedAccount } from '@pacioli/taxonomy';
import {
  accountsMissing,
  bookingRefusal,
  firstClosed,
  firstMonth,
  type JournalWriter,
  lockMonthsShared,
  type NewEvent,
  type Refusal,
  requireNotNegative,
  requireWithinDateLimit,
} from '../journal/index.ts';
import type { Settlements } from '../open-items/index.ts';
import type { JournalPlan, PlanWork } from '../tokens.ts';
import { accountsNamed, type EventPlanner, type EventToRecord, requireNamedAccounts } from './event-planner.ts';

export interface RecorderParts {
  readonly ids: Ids;
  readonly planner: EventPlanner;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
}

/** A recorded event with the plan that was executed for it. */
export interface RecordedEvent {
  readonly event: NewEvent;
  readonly plan: JournalPlan | undefined;
}

/** Records events and executes the plans of their handlers, in the order of ledger L-82. */
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
    if (plan !== undefined) await execute(tx, plan, { eventId: event.id, ...by });
    const dischargesEventId = await this.#settlements.settle(tx, event, { isBooked: plan !== undefined });
    // Last, because concurrent reductions of these accounts wait from here on.
    await requireNotNegative(tx, limited);
    return { event: { ...event, discharges_event_id: dischargesEventId }, plan };
  }

  /** Plans the journal of the event. A duplicate is reported first, whatever else is wrong with it (L-82, L-83). */
  async #decide(
    tx: Transaction,
    given: EventToRecord & { readonly id: string },
    now: Date,
  ): Promise<JournalPlan | undefined> {
    try {
      const plan = given.apply_handlers ? await this.#planner.plan(tx, given, now) : undefined;
      if (plan !== undefined) await this.#planner.requireCapacity(tx, plan, given.currency);
      await this.#planner.requireRows(tx, given);
      if (plan !== undefined) await requireWithinDateLimit(tx, datesOfPlan(plan), now);
      return plan;
    } catch (error) {
      return this.#refuse(tx, given, [error]);
    }
  }

  /** Throws the duplicate error when the event was recorded before, otherwise the first of the errors. */
  async #refuse(tx: Transaction, given: EventToRecord, errors: readonly unknown[]): Promise<never> {
    // After a store error the transaction accepts no more statements.
    const isAborted = errors.some((error) => !isServiceError(error) || error.cause instanceof StoreError);
    if (isAborted || given.external_id === null) throw errors[0];
    const eventId = await this.#writer.findByExternalId(tx, given.source, given.external_id);
    throw eventId === undefined ? errors[0] : duplicateError(eventId);
  }

  /**
   * Takes the period locks, and in the same batch writes the event behind them and reads its accounts. A refusal rolls
   * everything back. Where a plan has its own locks, `lockFirst` runs before any row is locked (ledger L-150), and
   * the accounts are checked before the event is written. Returns the accounts that may not fall below zero. It fails
   * only once all statements have settled, because one that came later would run outside the savepoint of a preview.
   */
  async #write(
    tx: Transaction,
    given: EventToRecord,
    event: NewEvent,
    plan: JournalPlan | undefined,
  ): Promise<readonly PostedAccount[]> {
    const monthsLocked = lockMonthsShared(
      tx,
      plan === undefined ? [] : [...datesOfPlan(plan), ...(plan.alsoLocked ?? [])],
    );
    const named = accountsNamed(given, plan);
    if (plan?.lockFirst !== undefined) {
      const accounts = this.#planner.findAccounts(tx, named).then((found) => requireNamedAccounts(found, given, plan));
      const locked = monthsLocked.then(() => plan.lockFirst?.(tx));
      const failed = failuresOf(await Promise.allSettled([monthsLocked, accounts, locked]));
      if (failed.length > 0) await this.#refuse(tx, given, failed);
    }
    const wrote = rejectingReversed(() => this.#writer.write(tx, event, withoutOwnEntries(plan), named));
    const [months, write] = await Promise.allSettled([monthsLocked, wrote]);
    if (months.status === 'rejected') throw months.reason;
    if (write.status === 'rejected') throw write.reason;
    const { refusal, accounts } = write.value;
    if (refusal?.kind === 'duplicate') throw refusalError(refusal, event, plan);
    const limited = requireNamedAccounts(accounts, given, plan);
    if (refusal !== undefined) throw refusalError(refusal, event, plan);
    return limited;
  }
}

function failuresOf(outcomes: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
}

/** The days that a plan writes to. */
export function datesOfPlan(plan: JournalPlan): readonly string[] {
  return [...plan.entries.map((entry) => entry.postingDate), ...(plan.alsoDated ?? [])];
}

/** The plan without the entries that it writes itself. */
export function withoutOwnEntries<Plan extends JournalPlan | undefined>(plan: Plan): Plan {
  return plan?.execute === undefined ? plan : { ...plan, entries: [] };
}

/** Executes the writes of the plan itself; its months are already locked, and must be open (ledger L-151). */
export async function execute(tx: Transaction, plan: JournalPlan, work: Omit<PlanWork, 'tx'>): Promise<void> {
  if (plan.execute !== undefined) {
    await requireOpen(tx, datesOfPlan(plan));
    await plan.execute({ tx, ...work });
  }
  await plan.followUp?.({ tx, ...work });
}

/** Runs a write of the journal; rejects an entry that another caller has reversed in the meantime (ledger L-61). */
export async function rejectingReversed<Outcome>(write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof StoreError && error.constraint === 'ledger_entry_reversal') {
      throw invalidInput('Journal entry already has a reversing entry; an entry is reversed at most once.');
    }
    throw error;
  }
}

/** The error for a refusal. */
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

/** Rejects days of which one lies in a closed month (ledger L-151). */
export async function requireOpen(tx: Transaction, dates: readonly string[]): Promise<void> {
  const closed = await firstClosed(tx, dates);
  if (closed !== undefined) throw closedPeriod(closed.slice(0, 7), closed, (await firstMonth(tx)) ?? null);
}

/** The error for a closed month (ledger L-151). Months before the first of the calendar cannot be reopened (L-167). */
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

/** The error for a duplicate; a header carries the id of the existing event (ledger L-83). */
function duplicateError(eventId: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Event already ingested for this source and external_id', {
    headers: { 'X-Existing-Event-Id': eventId },
  });
}
