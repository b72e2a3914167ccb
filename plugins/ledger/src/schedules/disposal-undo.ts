import { invalidInput, type Transaction } from '@pacioli/core';
import type { StoredCalendar } from '../close/index.ts';
import type { EventRow, PlanWork, ReversalOfSchedule } from '../event-blocks/index.ts';
import { type EntryRow, type JournalReads, withLockName } from '../journal/index.ts';
import type { Actor } from '../values/index.ts';
import { type NewObligation, obligation } from './obligation-plan.ts';
import type { Obligations } from './obligations.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import { countedByDisposal, lockSchedule } from './schedule-checks.ts';
import type { ScheduleJournal } from './schedule-journal.ts';
import { planSchedule } from './schedule-plan.ts';
import { frameOf } from './schedule-work.ts';
import type { StoredSchedules } from './stored-schedules.ts';

export interface UndoParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
  readonly block: ScheduleBlock;
  readonly calendar: StoredCalendar;
  readonly journal: JournalReads;
}

/** Restores a schedule when its disposal is retracted or the disposal's entry is reversed (ledger L-188, L-73). */
export class DisposalUndo {
  readonly #parts: UndoParts;

  constructor(parts: UndoParts) {
    this.#parts = parts;
  }

  /**
   * Locks the schedule that a retracted event affects, after the months and before the event itself (ledger L-150): the
   * one that it ended by a disposal, or the one whose month it drafted, which no disposal may have counted (L-188).
   */
  async beforeRetraction(tx: Transaction, event: Pick<EventRow, 'id' | 'event_type'>): Promise<void> {
    if (event.event_type === 'asset_disposed') return this.lock(tx, event.id);
    const scheduleId = await this.#parts.entries.scheduleOfDrafts(tx, event.id);
    if (scheduleId === undefined) return;
    const schedule = await lockSchedule(this.#parts.schedules, tx, scheduleId);
    if (schedule?.disposed_on != null) throw countedByDisposal(schedule, `Event ${event.id} cannot be retracted`);
  }

  /** Locks the calendar and the schedule that the event has ended, if any. */
  async lock(tx: Transaction, eventId: string): Promise<void> {
    await withLockName('The fiscal calendar', () => this.#parts.calendar.findForShare(tx));
    await withLockName(`The schedule of event ${eventId}`, () => this.#parts.schedules.lockDisposedBy(tx, eventId));
  }

  /**
   * Makes the months that the disposal took pending again, each with a new obligation in place of the void one, because
   * a void obligation stays void (ledger L-208), and restores the sum rule. Months closed since then accept no entries
   * and stay void, like months that a user dropped. Does nothing when the event has ended no schedule.
   */
  async undo(
    tx: Transaction,
    eventId: string,
    by: Actor & { readonly reason: 'disposal_retracted' | 'disposal_reversed' },
  ): Promise<void> {
    const { block, calendar, obligations, schedules } = this.#parts;
    const schedule = await schedules.lockDisposedBy(tx, eventId);
    if (schedule === undefined) return;
    const id = schedule.structure_id;
    const work = { tx, ...by };
    const closedThrough = (await calendar.find(tx))?.closed_through ?? '';
    const months = await schedules.months(tx, id);
    const amounts = new Map(months.map((month) => [month.period, month.amount]));
    // Repetitions of an obligation were voided too; only one of each month becomes pending again (ledger L-207).
    const taken = new Map((await obligations.replacedBy(tx, id, eventId)).map((old) => [old.period, old.eventId]));
    const restored = [...taken].flatMap(([period, replaces]): readonly NewObligation[] => {
      const amount = amounts.get(period) ?? 0n;
      if (amount === 0n) return [];
      const isClosed = period <= closedThrough;
      const next = isClosed
        ? obligation(period, amount, 'voided', 'closed_meanwhile')
        : obligation(period, amount, 'pending', null);
      return [{ ...next, replaces }];
    });
    await obligations.register(tx, frameOf(schedule, work), restored);
    await schedules.undoDisposal(tx, id, by.now);
    if (planSchedule(schedule.definition, null).base !== null)
      await block.addTotal(work, schedule, months.at(-1)?.accumulated ?? 0n);
    const history = {
      reason: by.reason,
      event_id: eventId,
      count: restored.length,
      by: by.userId,
      at: by.now.toISOString(),
    };
    await obligations.noteOnAnchor(tx, schedule.anchor_event_id, { history });
  }

  /**
   * The effect of reversing an entry on the schedule of an asset that was disposed of; null when there is none. Rejects
   * reversals after which schedule and books would disagree: of a reversal that restored a schedule, and, once the
   * schedule is locked, of an entry that a draft disposal has counted. A reversal counts as the first entry of its
   * chain, which is in effect again after every second reversal (ledger L-63).
   */
  async ofReversal(
    tx: Transaction,
    original: Pick<EntryRow, 'id' | 'event_id' | 'source_structure_id' | 'reversal_of'>,
  ): Promise<ReversalOfSchedule | null> {
    const { journal } = this.#parts;
    const origin = original.reversal_of === null ? { ...original, steps: 0 } : await journal.originOf(tx, original.id);
    if (origin === undefined) return null;
    const { event_id: eventId, source_structure_id: scheduleId, steps } = origin;
    if (scheduleId !== null) return { kind: 'month', scheduleId };
    if (eventId === null) return null;
    if (steps % 2 === 1) {
      await this.#requireNoneRestored(tx, original.id, eventId);
      return null;
    }
    return (await this.#parts.schedules.isDisposedBy(tx, eventId)) ? { kind: 'disposal', eventId } : null;
  }

  /** Locks the schedule that the reversal of an entry affects, before events and entries (ledger L-150). */
  async lockReversed(tx: Transaction, entryId: string, of: ReversalOfSchedule | null): Promise<void> {
    if (of?.kind === 'month') await this.#requireUncounted(tx, entryId, of.scheduleId);
    if (of?.kind === 'disposal') await this.lock(tx, of.eventId);
  }

  /** Restores the schedule whose disposal was reversed. */
  async followReversal({ months, userId, now }: PlanWork, of: ReversalOfSchedule | null): Promise<void> {
    if (of?.kind === 'disposal') await this.undo(months.tx, of.eventId, { userId, now, reason: 'disposal_reversed' });
  }

  /** A draft disposal would still book the amount of the reversed entry (ledger L-188). */
  async #requireUncounted(tx: Transaction, entryId: string, scheduleId: string): Promise<void> {
    const schedule = await lockSchedule(this.#parts.schedules, tx, scheduleId);
    if (schedule === undefined || schedule.disposal_event_id === null) return;
    if (await this.#parts.entries.hasDraft(tx, schedule.disposal_event_id))
      throw countedByDisposal(schedule, `Journal entry ${entryId} cannot be reversed`);
  }

  /** Reversing such a reversal would remove the asset from the books while its schedule continues. */
  async #requireNoneRestored(tx: Transaction, reversalId: string, disposalEventId: string): Promise<void> {
    const schedule = await this.#parts.schedules.restoredBy(tx, disposalEventId);
    if (schedule === undefined) return;
    throw invalidInput(
      `Journal entry ${reversalId} has restored the asset of schedule '${schedule.name}'. Dispose of the asset again with an event asset_disposed instead of reversing it.`,
    );
  }
}
