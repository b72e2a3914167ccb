import { invalidInput, type Transaction } from '@pacioli/core';
import type { StoredCalendar } from '../close/index.ts';
import type { EventRow } from '../event-blocks/index.ts';
import { type EntryRow, type JournalReads, naming } from '../journal/index.ts';
import type { JournalPlan } from '../tokens.ts';
import { heldByDisposal } from './disposal-guard.ts';
import { type NewObligation, obligation } from './obligation-plan.ts';
import type { Obligations } from './obligations.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import type { ScheduleJournal } from './schedule-journal.ts';
import { planSchedule } from './schedule-plan.ts';
import { frameOf } from './schedule-work.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

export interface UndoParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
  readonly block: ScheduleBlock;
  readonly calendar: StoredCalendar;
  readonly journal: JournalReads;
}

interface UndoWork {
  readonly userId: string;
  readonly now: Date;
}

/** Gives a schedule back what a disposal took from it, when the disposal is retracted or its entry is reversed (ledger L-188, L-73). */
export class DisposalUndo {
  readonly #parts: UndoParts;

  constructor(parts: UndoParts) {
    this.#parts = parts;
  }

  /**
   * Locks what an event that is retracted has to do with disposals, after the months and before the event itself
   * (ledger L-150): the schedule that it has ended, or the one whose month it has drafted, which a disposal may not have
   * counted (L-188).
   */
  async beforeRetraction(tx: Transaction, event: Pick<EventRow, 'id' | 'event_type'>): Promise<void> {
    if (event.event_type === 'asset_disposed') return this.lock(tx, event.id);
    const scheduleId = await this.#parts.entries.scheduleOfDrafts(tx, event.id);
    if (scheduleId === undefined) return;
    const schedule = await this.#lockSchedule(tx, scheduleId);
    if (schedule?.disposed_on != null) throw heldByDisposal(schedule, `Event ${event.id} cannot be retracted`);
  }

  /** Locks the calendar and the schedule that the event has ended, if any. */
  async lock(tx: Transaction, eventId: string): Promise<void> {
    await naming('The fiscal calendar', () => this.#parts.calendar.findForShare(tx));
    await naming(`The schedule of event ${eventId}`, () => this.#parts.schedules.lockDisposedBy(tx, eventId));
  }

  /**
   * The months that the disposal took wait again, each as an obligation that stands in for the void one, because what is
   * void stays so (ledger L-208); the rule of the sum is back. Months that were closed meanwhile take no entries: they stay
   * void, like months that a person has dropped. Nothing happens when the event has ended no schedule.
   */
  async undo(
    tx: Transaction,
    eventId: string,
    by: UndoWork & { readonly reason: 'disposal_retracted' | 'disposal_reversed' },
  ): Promise<void> {
    const { block, calendar, obligations, schedules } = this.#parts;
    const schedule = await schedules.lockDisposedBy(tx, eventId);
    if (schedule === undefined) return;
    const id = schedule.structure_id;
    const work = { tx, ...by };
    const closedThrough = (await calendar.find(tx))?.closed_through ?? '';
    const months = await schedules.months(tx, id);
    const amounts = new Map(months.map((month) => [month.period, month.amount]));
    // Repetitions of an obligation were taken too; one of each month waits again (ledger L-207).
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
   * What the reversal of an entry does to the schedule of an asset that has left the books: that of the disposal gives it
   * back. Refuses what would leave schedule and books apart: the reversal of an entry that a disposal in draft has counted,
   * and of a reversal that has given a schedule back. An entry that reverses another counts as what its chain began with,
   * which is in the books again after every second of them (ledger L-63).
   */
  async ofReversal(
    tx: Transaction,
    original: Pick<EntryRow, 'id' | 'event_id' | 'source_structure_id' | 'reversal_of'>,
  ): Promise<Pick<JournalPlan, 'lockFirst' | 'followUp'>> {
    const { journal } = this.#parts;
    const origin = original.reversal_of === null ? { ...original, steps: 0 } : await journal.originOf(tx, original.id);
    if (origin === undefined) return {};
    const { event_id: eventId, source_structure_id: scheduleId, steps } = origin;
    if (scheduleId !== null) return { lockFirst: () => this.#requireUncounted(tx, original.id, scheduleId) };
    if (eventId === null) return {};
    if (steps % 2 === 1) {
      await this.#requireNoneGivenBack(tx, original.id, eventId);
      return {};
    }
    if (!(await this.#parts.schedules.isDisposedBy(tx, eventId))) return {};
    return {
      lockFirst: () => this.lock(tx, eventId),
      followUp: ({ userId, now }) => this.undo(tx, eventId, { userId, now, reason: 'disposal_reversed' }),
    };
  }

  /** A disposal in draft would book what the entry came to (ledger L-188). */
  async #requireUncounted(tx: Transaction, entryId: string, scheduleId: string): Promise<void> {
    const schedule = await this.#lockSchedule(tx, scheduleId);
    if (schedule === undefined || schedule.disposal_event_id === null) return;
    if (await this.#parts.entries.hasDraft(tx, schedule.disposal_event_id))
      throw heldByDisposal(schedule, `Journal entry ${entryId} cannot be reversed`);
  }

  async #lockSchedule(tx: Transaction, id: string): Promise<ScheduleRow | undefined> {
    return (await naming(`Schedule ${id}`, () => this.#parts.schedules.lock(tx, [id]))).get(id);
  }

  /** With the original's effect back, the books would be without an asset that its schedule goes on with. */
  async #requireNoneGivenBack(tx: Transaction, reversalId: string, disposalEventId: string): Promise<void> {
    const schedule = await this.#parts.schedules.givenBackBy(tx, disposalEventId);
    if (schedule === undefined) return;
    throw invalidInput(
      `Journal entry ${reversalId} has given schedule '${schedule.name}' its asset back. Dispose of the asset again with an event asset_disposed instead of reversing it.`,
    );
  }
}
