import { invalidInput } from '@pacioli/core';
import type { LockedMonths } from '../journal/index.ts';
import { type NewObligation, obligation, problemOfEnd } from './obligation-plan.ts';
import type { Obligations } from './obligations.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import { countedByDisposal, requireLocked, requireNotDisposed } from './schedule-checks.ts';
import type { DraftsOfSchedule, ScheduleJournal } from './schedule-journal.ts';
import { isMonthEnd, problemOfDefinition, type ScheduleDefinition } from './schedule-plan.ts';
import { changeSchedule, frameOf, type ScheduleWork, stamp } from './schedule-work.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

export interface Termination {
  readonly structure_id: string;
  readonly name: string;
  readonly new_end_date: string;
  readonly facts_deleted: number;
  readonly obligations_voided: number;
  readonly rule_updated: boolean;
  readonly reason: string;
}

export interface ScheduleChange {
  readonly structureId: string;
  readonly name: string | null;
  readonly entryTemplate: ScheduleDefinition['entry_template'] | null;
  readonly metadata: ScheduleDefinition['schedule_metadata'];
}

export interface ChangesParts {
  readonly block: ScheduleBlock;
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
}

/** Changes schedules, ends them early and deletes them; planned amounts never change (ledger section 8). */
export class ScheduleChanges {
  readonly #parts: ChangesParts;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
  }

  /**
   * Ends a schedule early: deletes the facts and drafts after the new end and voids their open obligations. Posted
   * entries after it block the change, because nothing is reversed (ledger L-189).
   */
  async terminate(
    work: ScheduleWork,
    request: { readonly structureId: string; readonly newEndDate: string; readonly reason: string },
  ): Promise<Termination> {
    const { newEndDate, structureId: id } = request;
    const reason = request.reason.trim();
    if (reason === '') throw invalidInput('reason: say why the schedule ends early.');
    if (!isMonthEnd(newEndDate)) throw invalidInput(`new_end_date: ${newEndDate} is not the last day of a month.`);
    return changeSchedule(this.#parts, work, {
      id,
      draftsAfter: newEndDate,
      apply: (months, schedule, drafts) => this.#end({ ...work, months }, schedule, drafts, { newEndDate, reason }),
    });
  }

  async #end(
    work: ScheduleWork & { readonly months: LockedMonths },
    schedule: ScheduleRow,
    drafts: DraftsOfSchedule,
    { newEndDate, reason }: { readonly newEndDate: string; readonly reason: string },
  ): Promise<Termination> {
    const { block, entries, obligations, schedules } = this.#parts;
    const id = schedule.structure_id;
    requireNotDisposed(schedule, 'There is nothing left to end; delete its block to remove it from the lists.');
    const months = await schedules.months(work.tx, id);
    const problem = problemOfEnd(
      months.map((month) => month.period),
      newEndDate,
    );
    if (problem !== undefined) throw invalidInput(problem);
    const posted = await entries.postedAfter(work.tx, id, newEndDate);
    if (posted > 0)
      throw invalidInput(
        `Cannot truncate: ${posted} posted entries exist for periods after ${newEndDate}. Reopen those periods first.`,
      );
    await entries.removeDrafts(work.months, drafts.ids, work);
    const filter = { scheduleId: id, after: newEndDate, statuses: ['pending', 'classified'] };
    const voided = await obligations.void(work.tx, filter, { reason: 'terminated' });
    await schedules.end(work.tx, id, newEndDate, work.now);
    const left = months.filter((month) => month.period <= newEndDate.slice(0, 7)).at(-1)?.accumulated ?? 0n;
    const factsDeleted = await block.cutFacts(work.tx, id, newEndDate);
    const ruleUpdated = await block.setTotal(work, schedule, left);
    const history = { new_end_date: newEndDate, reason, count: voided.length, ...stamp(work) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { history });
    return {
      structure_id: id,
      name: schedule.name,
      new_end_date: newEndDate,
      facts_deleted: factsDeleted,
      obligations_voided: voided.length,
      rule_updated: ruleUpdated,
      reason,
    };
  }

  /** Changes the fields that need no new facts; a new template affects only pending obligations (ledger L-186). */
  async update(work: ScheduleWork, change: ScheduleChange): Promise<void> {
    const { block, obligations, schedules } = this.#parts;
    const schedule = await requireLocked(schedules, work.tx, change.structureId);
    const definition = {
      ...schedule.definition,
      entry_template: change.entryTemplate ?? schedule.definition.entry_template,
      schedule_metadata: change.metadata ?? schedule.definition.schedule_metadata,
    };
    const problem = problemOfDefinition(definition);
    if (problem !== undefined) throw invalidInput(problem);
    // A retired account blocks a change of accounts, but not of the name.
    if (touchesAccounts(schedule.definition, definition))
      await block.requireElements(work.tx, definition, schedule.currency);
    const next = { ...schedule, name: change.name ?? schedule.name, definition };
    await schedules.update(work.tx, change.structureId, { name: next.name, definition, now: work.now });
    await block.update(work, next);
    if (change.entryTemplate === null) return;
    const filter = { scheduleId: change.structureId, statuses: ['pending'] };
    const voided = await obligations.void(work.tx, filter, { reason: 'template_changed' });
    const months = new Map(
      (await schedules.months(work.tx, change.structureId)).map((month) => [month.period, month.amount]),
    );
    const replacements = voided.map(
      (old): NewObligation => ({
        ...obligation(old.period, months.get(old.period) ?? 0n, 'pending', null),
        replaces: old.eventId,
      }),
    );
    await obligations.register(work.tx, frameOf(next, work), replacements);
    const history = { reason: 'template_changed', count: voided.length, ...stamp(work) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { history });
  }

  /** Deletes a schedule with everything that is not posted (ledger L-190). */
  async remove(work: ScheduleWork, structureId: string): Promise<void> {
    await changeSchedule(this.#parts, work, {
      id: structureId,
      draftsAfter: null,
      apply: (months, schedule, drafts) => this.#remove({ ...work, months }, schedule, drafts),
    });
  }

  async #remove(
    work: ScheduleWork & { readonly months: LockedMonths },
    schedule: ScheduleRow,
    drafts: DraftsOfSchedule,
  ): Promise<void> {
    const { block, entries, obligations, schedules } = this.#parts;
    const id = schedule.structure_id;
    if (schedule.disposed_on !== null && drafts.ids.length > 0)
      throw countedByDisposal(schedule, 'The drafts of the schedule cannot be deleted with it');
    await entries.removeDrafts(work.months, drafts.ids, work);
    const statuses = ['pending', 'classified'];
    const posted = await entries.postedPeriods(work.tx, id);
    const voided = await obligations.void(
      work.tx,
      { scheduleId: id, statuses, exceptPeriods: [...posted] },
      { reason: 'deleted' },
    );
    await entries.keepName(work.months, id, schedule.name);
    const history = { reason: 'deleted', count: voided.length, ...stamp(work) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { history });
    await schedules.remove(work.tx, id);
    await block.remove(work.tx, id);
  }
}

/** True when a change names another account. */
function touchesAccounts(one: ScheduleDefinition, other: ScheduleDefinition): boolean {
  const accounts = ({ entry_template: template, schedule_metadata: metadata }: ScheduleDefinition) => [
    template.debit_element_id,
    template.credit_element_id,
    metadata?.asset_element_id ?? null,
  ];
  const before = accounts(one);
  return accounts(other).some((id, index) => id !== before[index]);
}
