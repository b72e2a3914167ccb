import { type Ids, invalidInput, type Transaction } from '@pacioli/core';
import { withdrawChanged } from './changed-months.ts';
import { heldByDisposal } from './disposal-guard.ts';
import { beingWritten } from './domain/being-written.ts';
import {
  anchorMetadata,
  cutOff,
  lastMonthOf,
  type NewObligation,
  type ObligationFrame,
  obligation,
  obligationsOf,
  pendingIn,
  problemOfEnd,
  problemOfHistory,
  problemOfWatermark,
} from './domain/obligation-plan.ts';
import { monthsOfDates, periodOf } from './domain/periods.ts';
import { factsOf } from './domain/schedule-facts.ts';
import {
  isMonthEnd,
  planSchedule,
  problemOfDefinition,
  type ScheduleDefinition,
  type SchedulePlan,
} from './domain/schedule-plan.ts';
import { closedPeriod } from './event-recorder.ts';
import { requireWithinReach } from './posting-reach.ts';
import type { ScheduleBlock, ScheduleRuleSummary } from './schedule-block.ts';
import { scheduleNotFound } from './schedule-drafts.ts';
import type { Obligations } from './store/obligations.ts';
import { firstClosed, firstMonth, naming, shareMonths } from './store/period-fence.ts';
import type { ScheduleJournal } from './store/schedule-journal.ts';
import type { StoredCalendar } from './store/stored-calendar.ts';
import type { ScheduleRow, StoredSchedules } from './store/stored-schedules.ts';
import type { Balances } from './tokens.ts';

/** The transaction, author and moment of a change of a schedule. */
export interface ScheduleWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}

export interface ScheduleRequest {
  readonly name: string;
  readonly definition: ScheduleDefinition;
  /** Null takes the taxonomy of schedules. */
  readonly taxonomyId: string | null;
  /** The last day of history; undefined takes what the calendar says (ledger L-180). */
  readonly closedThrough: string | undefined;
}

/** What became of a schedule, in the words of the wire. */
export interface ScheduleWritten {
  readonly structure_id: string;
  readonly name: string;
  readonly taxonomy_id: string;
  readonly total_periods: number;
  readonly total_facts: number;
  readonly rule_summary: ScheduleRuleSummary | null;
  readonly schedule_created_event_id: string;
  readonly pending_event_count: number;
}

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

type NewScheduleRow = Omit<ScheduleRow, 'ended_on' | 'disposed_on' | 'disposal_event_id'>;

export interface WriterParts {
  readonly ids: Ids;
  readonly block: ScheduleBlock;
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
  readonly calendar: StoredCalendar;
  readonly balances: Balances;
}

/** Makes, changes and ends schedules: the block with its facts and rule, and the register of obligations (ledger section 8). */
export class ScheduleWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Ledger L-176 to L-182. */
  async create(work: ScheduleWork, request: ScheduleRequest): Promise<ScheduleWritten> {
    const { balances, block, ids, schedules } = this.#parts;
    const { definition } = request;
    const problem = problemOfDefinition(definition) ?? problemOfWatermark(request.closedThrough);
    if (problem !== undefined) throw invalidInput(problem);
    await requireWithinReach(work.tx, [definition.period_start], work.now);
    const currency = await balances.currency(work.tx);
    await block.requireElements(work.tx, definition, currency);
    const closedThrough = await this.#closedThrough(work, request.closedThrough);
    const plan = planSchedule(definition, closedThrough);
    const anchorId = ids.make('evt');
    const placed = await block.create(work, { ...request, anchorId });
    const schedule = { ...placed, name: request.name, currency, definition, anchor_event_id: anchorId };
    await schedules.insert(work.tx, { ...schedule, userId: work.userId, now: work.now });
    await schedules.replaceMonths(work.tx, placed.structure_id, plan.months);
    const frame = frameOf(schedule, work);
    const obligations = obligationsOf(plan, new Set());
    await this.#parts.obligations.anchor(work.tx, frame, anchorMetadata(frame, definition, obligations));
    await this.#parts.obligations.register(work.tx, frame, obligations);
    return this.#fill(work, schedule, plan, pendingIn(obligations));
  }

  /** Makes facts, rule and open obligations again from the stored definition (ledger L-187). */
  async rebuild(work: ScheduleWork, structureId: string): Promise<ScheduleWritten> {
    const { block, entries, obligations, schedules } = this.#parts;
    // Months, calendar, schedule: the order in which the fence of months takes them (ledger L-150).
    const fenced = await this.#fence(work.tx, structureId, null);
    const closedThrough = await this.#closedThrough(work, undefined);
    const schedule = await this.#lock(work.tx, structureId, null, fenced);
    requireNotDisposed(schedule, 'Create a new schedule for what is still to be spread.');
    const full = planSchedule(schedule.definition, closedThrough);
    const plan = schedule.ended_on === null ? full : cutOff(full, schedule.ended_on);
    const dropped = await obligations.droppedPeriods(work.tx, structureId);
    const redone = await withdrawChanged(this.#parts, work, schedule, plan);
    const waiting = { scheduleId: structureId, statuses: ['pending'] };
    const voided = [...redone, ...(await obligations.void(work.tx, waiting, { reason: 'rebuilt' }))];
    await schedules.replaceMonths(work.tx, structureId, plan.months);
    await block.clear(work.tx, structureId);
    const landed = await entries.landedPeriods(work.tx, structureId);
    const settled = await obligations.settledPeriods(work.tx, structureId);
    // What a person has dropped stays so.
    const fresh = obligationsOf(plan, landed).filter(({ period }) => !settled.has(period) && !dropped.has(period));
    await obligations.register(work.tx, frameOf(schedule, work), fresh);
    const history = { reason: 'rebuilt', count: voided.length, ...stamp(work) };
    const metadata = { pending_event_count: pendingIn(fresh) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { metadata, history });
    return this.#fill(work, schedule, plan, pendingIn(fresh));
  }

  /** Ends a schedule early without an entry (ledger L-189). */
  async terminate(
    work: ScheduleWork,
    request: { readonly structureId: string; readonly newEndDate: string; readonly reason: string },
  ): Promise<Termination> {
    const { block, entries, obligations, schedules } = this.#parts;
    const { newEndDate, structureId } = request;
    const reason = request.reason.trim();
    if (reason === '') throw invalidInput('reason: say why the schedule ends early.');
    if (!isMonthEnd(newEndDate)) throw invalidInput(`new_end_date: ${newEndDate} is not the last day of a month.`);
    const schedule = await this.#lock(work.tx, structureId, newEndDate);
    requireNotDisposed(schedule, 'Nothing of it is left to end; delete its block if it is to go from the lists.');
    const months = await schedules.months(work.tx, structureId);
    const problem = problemOfEnd(
      months.map((month) => month.period),
      newEndDate,
    );
    if (problem !== undefined) throw invalidInput(problem);
    const landed = await entries.landedAfter(work.tx, structureId, newEndDate);
    if (landed > 0)
      throw invalidInput(
        `Cannot truncate: ${landed} posted entries exist for periods after ${newEndDate}. Reopen those periods first.`,
      );
    await this.#removeDrafts(work, structureId, newEndDate);
    const filter = { scheduleId: structureId, after: newEndDate, statuses: ['pending', 'classified'] };
    const voided = await obligations.void(work.tx, filter, { reason: 'terminated' });
    await schedules.end(work.tx, structureId, newEndDate, work.now);
    const left = months.filter((month) => month.period <= newEndDate.slice(0, 7)).at(-1)?.accumulated ?? 0n;
    const factsDeleted = await block.cutFacts(work.tx, structureId, newEndDate);
    const ruleUpdated = await block.setTotal(work, schedule, left);
    const history = { new_end_date: newEndDate, reason, count: voided.length, ...stamp(work) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { history });
    return {
      structure_id: structureId,
      name: schedule.name,
      new_end_date: newEndDate,
      facts_deleted: factsDeleted,
      obligations_voided: voided.length,
      rule_updated: ruleUpdated,
      reason,
    };
  }

  /** Changes what may change without new facts; a new template concerns only what is still pending (ledger L-186). */
  async update(work: ScheduleWork, change: ScheduleChange): Promise<void> {
    const { block, obligations, schedules } = this.#parts;
    const schedule = await this.#lock(work.tx, change.structureId);
    const definition = {
      ...schedule.definition,
      entry_template: change.entryTemplate ?? schedule.definition.entry_template,
      schedule_metadata: change.metadata ?? schedule.definition.schedule_metadata,
    };
    const problem = problemOfDefinition(definition);
    if (problem !== undefined) throw invalidInput(problem);
    // An account that was retired meanwhile is in the way of a new one only, not of a name.
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

  /** Deletes a schedule with everything that has not landed (ledger L-190). */
  async remove(work: ScheduleWork, structureId: string): Promise<void> {
    const { block, entries, obligations, schedules } = this.#parts;
    const schedule = await this.#lock(work.tx, structureId, null);
    const drafts = await entries.draftsAfter(work.tx, structureId, null);
    if (schedule.disposed_on !== null && drafts.ids.length > 0)
      throw heldByDisposal(schedule, 'The drafts of the schedule cannot be deleted with it');
    await entries.removeDrafts(work.tx, drafts.ids, { userId: work.userId, now: work.now });
    const statuses = ['pending', 'classified'];
    const landed = await entries.landedPeriods(work.tx, structureId);
    const voided = await obligations.void(
      work.tx,
      { scheduleId: structureId, statuses, exceptPeriods: [...landed] },
      { reason: 'deleted' },
    );
    await entries.keepName(work.tx, structureId, schedule.name);
    const history = { reason: 'deleted', count: voided.length, ...stamp(work) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { history });
    await schedules.remove(work.tx, structureId);
    await block.remove(work.tx, structureId);
  }

  /** Facts and rule of a plan, and what its author is told. */
  async #fill(
    work: ScheduleWork,
    schedule: NewScheduleRow,
    plan: SchedulePlan,
    pending: number,
  ): Promise<ScheduleWritten> {
    const { block } = this.#parts;
    const { entry_template: template, schedule_metadata: metadata } = schedule.definition;
    const credited = await block.account(work.tx, template.credit_element_id);
    const facts = factsOf(plan, template, metadata, credited);
    const rules = await block.fill(work, schedule, { plan, facts });
    return {
      structure_id: schedule.structure_id,
      name: schedule.name,
      taxonomy_id: schedule.taxonomy_id,
      total_periods: plan.months.length,
      total_facts: facts.length,
      rule_summary: rules,
      schedule_created_event_id: schedule.anchor_event_id,
      pending_event_count: pending,
    };
  }

  /**
   * The schedule, locked. A day given means that the drafts after it will go (null: all of them), so that their months
   * are fenced first and must be open (ledger L-150, L-151).
   */
  async #lock(
    tx: Transaction,
    id: string,
    draftsAfter?: string | null,
    fencedBefore?: readonly string[],
  ): Promise<ScheduleRow> {
    const { entries, schedules } = this.#parts;
    const found = fencedBefore ?? (draftsAfter === undefined ? [] : await this.#fence(tx, id, draftsAfter));
    const schedule = (await naming(`Schedule ${id}`, () => schedules.lock(tx, [id]))).get(id);
    if (schedule === undefined) throw scheduleNotFound(id);
    if (draftsAfter === undefined) return schedule;
    // A draft that was written while the schedule was waited for may lie in a month without a fence.
    const fenced = new Set(monthsOfDates(found));
    const { dates } = await entries.draftsAfter(tx, id, draftsAfter);
    if (monthsOfDates(dates).some((month) => !fenced.has(month))) throw beingWritten(`Schedule '${schedule.name}'`);
    const closed = await firstClosed(tx, dates);
    if (closed !== undefined) throw closedPeriod(closed.slice(0, 7), closed);
    return schedule;
  }

  /** Fences the months of the drafts after a day (null: of all) and returns their days. */
  async #fence(tx: Transaction, id: string, draftsAfter: string | null): Promise<readonly string[]> {
    const { dates } = await this.#parts.entries.draftsAfter(tx, id, draftsAfter);
    await shareMonths(tx, dates);
    return dates;
  }

  async #removeDrafts(work: ScheduleWork, id: string, after: string | null): Promise<void> {
    const { ids } = await this.#parts.entries.draftsAfter(work.tx, id, after);
    await this.#parts.entries.removeDrafts(work.tx, ids, { userId: work.userId, now: work.now });
  }

  /**
   * The last month of history (ledger L-180); the calendar stays as it is until the transaction ends. What is closed is
   * history whatever the caller says, because nothing can be drafted there.
   */
  async #closedThrough({ tx, now }: ScheduleWork, given: string | undefined): Promise<string | null> {
    const { calendar } = this.#parts;
    const found = await naming('The fiscal calendar', () => calendar.findForShare(tx));
    const closed = found?.closed_through ?? null;
    if (given === undefined) return closed;
    const books = { hasCalendar: found !== undefined, closed, first: await firstMonth(tx) };
    const problem = problemOfHistory(given, books, periodOf(now.toISOString()));
    if (problem !== undefined) throw invalidInput(problem);
    const last = lastMonthOf(given);
    return closed !== null && closed > last ? closed : last;
  }
}

/** Ledger L-188: its rule is gone and its later months are void. */
function requireNotDisposed(schedule: ScheduleRow, nextStep: string): void {
  if (schedule.disposed_on === null) return;
  throw invalidInput(
    `Schedule '${schedule.name}' ended with the disposal of its asset on ${schedule.disposed_on}. ${nextStep}`,
  );
}

/** What the obligations of a schedule share, for the author and moment of a change. */
export function frameOf(schedule: Omit<NewScheduleRow, 'definition'>, work: Omit<ScheduleWork, 'tx'>): ObligationFrame {
  return {
    scheduleId: schedule.structure_id,
    scheduleName: schedule.name,
    anchorId: schedule.anchor_event_id,
    currency: schedule.currency,
    userId: work.userId,
    now: work.now,
  };
}

/** Whether a change names another account. */
function touchesAccounts(one: ScheduleDefinition, other: ScheduleDefinition): boolean {
  const accounts = ({ entry_template: template, schedule_metadata: metadata }: ScheduleDefinition) => [
    template.debit_element_id,
    template.credit_element_id,
    metadata?.asset_element_id ?? null,
  ];
  const before = accounts(one);
  return accounts(other).some((id, index) => id !== before[index]);
}

function stamp(work: ScheduleWork): { readonly by: string; readonly at: string } {
  return { by: work.userId, at: work.now.toISOString() };
}
