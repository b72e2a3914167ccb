import { type Ids, invalidInput } from '@pacioli/core';
import type { Balances } from '../balances/index.ts';
import type { StoredCalendar } from '../close/index.ts';
import { firstMonth, type LockedMonths, requireWithinDateLimit, withLockName } from '../journal/index.ts';
import { periodOf } from '../values/index.ts';
import { withdrawChanged } from './changed-months.ts';
import {
  anchorMetadata,
  cutOff,
  lastMonthOf,
  obligationsOf,
  pendingIn,
  problemOfHistory,
  problemOfWatermark,
} from './obligation-plan.ts';
import type { Obligations } from './obligations.ts';
import type { ScheduleBlock, ScheduleRuleSummary } from './schedule-block.ts';
import { requireNotDisposed } from './schedule-checks.ts';
import { factsOf } from './schedule-facts.ts';
import type { ScheduleJournal } from './schedule-journal.ts';
import { planSchedule, problemOfDefinition, type ScheduleDefinition, type SchedulePlan } from './schedule-plan.ts';
import { changeSchedule, frameOf, type NewScheduleRow, type ScheduleWork, stamp } from './schedule-work.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

export interface ScheduleRequest {
  readonly name: string;
  readonly definition: ScheduleDefinition;
  /** Null selects the default taxonomy of schedules. */
  readonly taxonomyId: string | null;
  /** The last day of history; undefined uses the calendar's (ledger L-180). */
  readonly closedThrough: string | undefined;
}

/** The result of writing a schedule, in its wire form. */
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

export interface WriterParts {
  readonly ids: Ids;
  readonly block: ScheduleBlock;
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
  readonly calendar: StoredCalendar;
  readonly balances: Balances;
}

/** Creates and rebuilds schedules: the block with its facts and rule, and the obligations (ledger section 8). */
export class ScheduleWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Writes the block, its facts and rule, and an obligation for each open month (ledger L-176 to L-182). */
  async create(work: ScheduleWork, request: ScheduleRequest): Promise<ScheduleWritten> {
    const { balances, block, ids, schedules } = this.#parts;
    const { definition } = request;
    const problem = problemOfDefinition(definition) ?? problemOfWatermark(request.closedThrough);
    if (problem !== undefined) throw invalidInput(problem);
    await requireWithinDateLimit(work.tx, [definition.period_start], work.now);
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

  /** Rebuilds facts, rule and open obligations from the stored definition (ledger L-187). */
  async rebuild(work: ScheduleWork, structureId: string): Promise<ScheduleWritten> {
    let closedThrough: string | null = null;
    return changeSchedule(this.#parts, work, {
      id: structureId,
      draftsAfter: null,
      // Lock order: months, calendar, schedule (ledger L-150).
      lockFirst: async () => {
        closedThrough = await this.#closedThrough(work, undefined);
      },
      apply: (months, schedule) => this.#rebuild({ ...work, months }, schedule, closedThrough),
    });
  }

  async #rebuild(
    work: ScheduleWork & { readonly months: LockedMonths },
    schedule: ScheduleRow,
    closedThrough: string | null,
  ): Promise<ScheduleWritten> {
    const { block, entries, obligations, schedules } = this.#parts;
    const structureId = schedule.structure_id;
    requireNotDisposed(schedule, 'Create a new schedule for the amount that remains to be spread.');
    const full = planSchedule(schedule.definition, closedThrough);
    const plan = schedule.ended_on === null ? full : cutOff(full, schedule.ended_on);
    const dropped = await obligations.droppedPeriods(work.tx, structureId);
    const redone = await withdrawChanged(this.#parts, work, schedule, plan);
    const waiting = { scheduleId: structureId, statuses: ['pending'] };
    const voided = [...redone, ...(await obligations.void(work.tx, waiting, { reason: 'rebuilt' }))];
    await schedules.replaceMonths(work.tx, structureId, plan.months);
    await block.clear(work.tx, structureId);
    const posted = await entries.postedPeriods(work.tx, structureId);
    const settled = await obligations.settledPeriods(work.tx, structureId);
    // Months that a user dropped stay dropped.
    const fresh = obligationsOf(plan, posted).filter(({ period }) => !settled.has(period) && !dropped.has(period));
    await obligations.register(work.tx, frameOf(schedule, work), fresh);
    const history = { reason: 'rebuilt', count: voided.length, ...stamp(work) };
    const metadata = { pending_event_count: pendingIn(fresh) };
    await obligations.noteOnAnchor(work.tx, schedule.anchor_event_id, { metadata, history });
    return this.#fill(work, schedule, plan, pendingIn(fresh));
  }

  /** Writes the facts and rule of a plan, and returns the result for its author. */
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
   * The last month of history (ledger L-180); locks the calendar until the transaction ends. Closed months are history
   * whatever the caller says, because nothing can be drafted there.
   */
  async #closedThrough({ tx, now }: ScheduleWork, given: string | undefined): Promise<string | null> {
    const { calendar } = this.#parts;
    const found = await withLockName('The fiscal calendar', () => calendar.findForShare(tx));
    const closed = found?.closed_through ?? null;
    if (given === undefined) return closed;
    const books = { hasCalendar: found !== undefined, closed, first: await firstMonth(tx) };
    const problem = problemOfHistory(given, books, periodOf(now.toISOString()));
    if (problem !== undefined) throw invalidInput(problem);
    const last = lastMonthOf(given);
    return closed !== null && closed > last ? closed : last;
  }
}
