import type { Transaction } from '@pacioli/core';
import { type NewObligation, obligation } from './domain/obligation-plan.ts';
import { planSchedule } from './domain/schedule-plan.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import { frameOf } from './schedule-writer.ts';
import type { Obligations } from './store/obligations.ts';
import { naming } from './store/period-fence.ts';
import type { StoredSchedules } from './store/stored-schedules.ts';

export interface UndoParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly block: ScheduleBlock;
}

interface UndoWork {
  readonly userId: string;
  readonly now: Date;
}

/** Gives a schedule back what a disposal took from it, when the disposal is retracted before it has landed (ledger L-188, L-73). */
export class DisposalUndo {
  readonly #parts: UndoParts;

  constructor(parts: UndoParts) {
    this.#parts = parts;
  }

  /** Locks the schedule that the event has ended, if any; before the event itself is locked (ledger L-150). */
  async lock(tx: Transaction, eventId: string): Promise<void> {
    await naming(`The schedule of event ${eventId}`, () => this.#parts.schedules.lockDisposedBy(tx, eventId));
  }

  /**
   * The months that the disposal took wait again, each as an obligation that stands in for the void one, because what is
   * void stays so (ledger L-208); the rule of the sum is back. Nothing happens when the event has ended no schedule.
   */
  async undo(tx: Transaction, eventId: string, by: UndoWork): Promise<void> {
    const { block, obligations, schedules } = this.#parts;
    const schedule = await schedules.lockDisposedBy(tx, eventId);
    if (schedule === undefined) return;
    const id = schedule.structure_id;
    const work = { tx, ...by };
    const months = await schedules.months(tx, id);
    const amounts = new Map(months.map((month) => [month.period, month.amount]));
    // Repetitions of an obligation were taken too; one of each month waits again (ledger L-207).
    const taken = new Map((await obligations.replacedBy(tx, id, eventId)).map((old) => [old.period, old.eventId]));
    const restored = [...taken].flatMap(([period, replaces]): readonly NewObligation[] => {
      const amount = amounts.get(period) ?? 0n;
      return amount === 0n ? [] : [{ ...obligation(period, amount, 'pending', null), replaces }];
    });
    await obligations.register(tx, frameOf(schedule, work), restored);
    await schedules.undoDisposal(tx, id, by.now);
    if (planSchedule(schedule.definition, null).base !== null)
      await block.addTotal(work, schedule, months.at(-1)?.accumulated ?? 0n);
    const history = { reason: 'disposal_retracted', count: restored.length, by: by.userId, at: by.now.toISOString() };
    await obligations.noteOnAnchor(tx, schedule.anchor_event_id, { history });
  }
}
