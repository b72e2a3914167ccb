import { invalidInput, type ServiceError, type Transaction } from '@pacioli/core';
import { checked, type PlanWork } from '../event-blocks/index.ts';
import type { HandledEvent, JournalPlan, PlannedEntry } from '../journal/index.ts';
import { boundsOf, exactMinor, monthsNamed, plusDays, writeConflict } from '../values/index.ts';
import { type Disposal, dispose, problemOfDisposal } from './disposal.ts';
import type { ObligationSweep } from './obligation-sweep.ts';
import type { DueObligation, Obligations } from './obligations.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import { lockSchedule, requireCurrency, requireSchedule } from './schedule-checks.ts';
import { datesOf, type ScheduleDrafts } from './schedule-drafts.ts';
import type { DraftsOfSchedule, ScheduleJournal } from './schedule-journal.ts';
import { type DisposalRequest, readDisposal } from './schedule-metadata.ts';
import type { MonthRow, ScheduleRow, StoredSchedules } from './stored-schedules.ts';

export interface DisposalParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly drafts: ScheduleDrafts;
  readonly entries: ScheduleJournal;
  readonly sweep: ObligationSweep;
  readonly block: ScheduleBlock;
}

/** The disposal that was planned. */
export interface DisposalEffect {
  readonly scheduleId: string;
  readonly scheduleName: string;
  readonly request: DisposalRequest;
  readonly date: string;
  /** Drafts of later months, which the disposal deletes. */
  readonly later: readonly string[];
}

/** The effects of a disposal, decided before anything is written. */
interface Intent {
  readonly schedule: ScheduleRow;
  readonly disposal: Disposal;
  readonly date: string;
  readonly entry: PlannedEntry;
  /** Obligations up to the day that have no entry yet. */
  readonly due: { readonly pending: readonly DueObligation[]; readonly stranded: readonly DueObligation[] };
  /** Drafts of later months, which the disposal deletes. */
  readonly later: DraftsOfSchedule;
}

/** Limit of open obligations of one schedule, repetitions included. */
const maxObligations = 10_000;

/** Removes an asset and its accumulated depreciation from the books (ledger L-188). */
export class AssetDisposal {
  readonly #parts: DisposalParts;

  constructor(parts: DisposalParts) {
    this.#parts = parts;
  }

  async plan(tx: Transaction, event: HandledEvent): Promise<JournalPlan<DisposalEffect>> {
    const request = checked(() => readDisposal(event.metadata));
    const schedule = await requireSchedule(this.#parts.schedules, tx, request.scheduleId);
    requireCurrency(schedule, event.currency);
    const intent = await this.#decide(tx, schedule, request, event.occurredAt.slice(0, 10));
    const { disposal, due, later } = intent;
    const { netBookValue, gain } = dispose(disposal);
    const drafted = await this.#parts.drafts.decide(tx, [...due.pending, ...due.stranded]);
    return {
      eventStatus: 'fulfilled',
      transactionId: null,
      entries: [intent.entry],
      facts: {
        original_amount_cents: exactMinor(disposal.cost, 'The cost of the asset'),
        accumulated_depreciation_cents: exactMinor(disposal.accumulated, 'The accumulated depreciation'),
        nbv_cents: exactMinor(netBookValue, 'The net book value'),
        sale_proceeds_cents: exactMinor(disposal.proceeds, 'The proceeds of the asset'),
        gain_loss_cents: exactMinor(gain, 'The gain or loss'),
      },
      obligatedBy: schedule.anchor_event_id,
      alsoDated: [...drafted.flatMap(datesOf), ...later.dates],
      writtenBy: 'handler',
      effect: {
        scheduleId: schedule.structure_id,
        scheduleName: schedule.name,
        request,
        date: intent.date,
        later: later.ids,
      },
    };
  }

  async #decide(tx: Transaction, schedule: ScheduleRow, request: DisposalRequest, date: string): Promise<Intent> {
    const { entries, obligations, schedules } = this.#parts;
    const { schedule_metadata: metadata, entry_template: template } = schedule.definition;
    const assetElementId = metadata?.asset_element_id ?? null;
    if (assetElementId === null)
      throw invalidInput(
        `Schedule '${schedule.name}' names no asset; set schedule_metadata.asset_element_id with update-information-block.`,
      );
    if (schedule.disposed_on !== null)
      throw invalidInput(
        `The asset of schedule '${schedule.name}' was already disposed of on ${schedule.disposed_on}.`,
      );
    const posted = await entries.postedAfter(tx, schedule.structure_id, date);
    if (posted > 0)
      throw invalidInput(
        `${posted} posted entries exist for periods after ${date}. Reopen those periods first, or dispose of the asset later.`,
      );
    const months = await schedules.months(tx, schedule.structure_id);
    const open = { scheduleId: schedule.structure_id, maturedBy: new Date(`${date}T23:59:59Z`) };
    const due = {
      pending: await obligations.list(tx, { ...open, statuses: ['pending'] }, maxObligations),
      stranded: await obligations.stranded(tx, open, maxObligations),
    };
    // A month that does not end by the disposal date is not depreciated, whatever the date of its draft.
    const later = await entries.draftsAfter(tx, schedule.structure_id, lastMonthEnd(date));
    const until = { months, date, due: [...due.pending, ...due.stranded], without: later.ids };
    const disposal: Disposal = {
      assetElementId,
      creditElementId: template.credit_element_id,
      cost: metadata?.original_amount ? BigInt(metadata.original_amount) : (months.at(-1)?.accumulated ?? 0n),
      accumulated: await this.#accumulated(tx, schedule, until),
      proceeds: request.proceeds,
      proceedsElementId: request.proceedsElementId,
      gainLossElementId: request.gainLossElementId,
    };
    const problem = problemOfDisposal(disposal);
    if (problem !== undefined) throw invalidInput(problem);
    return {
      schedule,
      disposal,
      date,
      entry: {
        postingDate: date,
        memo: request.memo ?? `Disposal - ${schedule.name}`,
        type: 'closing',
        status: 'draft',
        reversalOf: null,
        lines: dispose(disposal).lines,
      },
      due,
      later,
    };
  }

  /**
   * The accumulated depreciation at the end of the day: the schedule's entries as they stand, including drafts that a
   * user edited, entries still to be drafted, and months that were history when the schedule began.
   */
  async #accumulated(
    tx: Transaction,
    schedule: ScheduleRow,
    until: {
      readonly months: readonly MonthRow[];
      readonly date: string;
      readonly due: readonly DueObligation[];
      /** Drafts to leave out. */
      readonly without: readonly string[];
    },
  ): Promise<bigint> {
    const { entries, obligations } = this.#parts;
    const { structure_id: id, definition } = schedule;
    const { credit_element_id: elementId, auto_reverse: reversesItself } = definition.entry_template;
    const booked = await entries.creditedByMonth(tx, id, { to: until.date, elementId, without: until.without });
    const dropped = await obligations.droppedPeriods(tx, id);
    const due = new Set(until.due.map((obligation) => obligation.period));
    const kept = [...booked].filter(([period]) => !due.has(period));
    const elsewhere = kept.filter(([, { onAccount, inAll }]) => onAccount !== inAll).map(([period]) => period);
    if (elsewhere.length > 0) throw creditedElsewhere(schedule, elsewhere);
    const planned = until.months.filter(({ period, scope }) => {
      if (boundsOf(period).end > until.date) return false;
      if (due.has(period)) return scope === 'in_scope' && !reversesItself;
      return scope === 'historical' && !booked.has(period) && !dropped.has(period);
    });
    const amounts = [...kept.map(([, { onAccount }]) => onAccount), ...planned.map(({ amount }) => amount)];
    return amounts.reduce((sum, amount) => sum + amount, 0n);
  }

  /** Drafts the entries due by the day, deletes later drafts, and books the disposal. */
  async apply(work: PlanWork, planned: DisposalEffect): Promise<void> {
    const { block, entries, obligations, schedules, sweep } = this.#parts;
    const { months, eventId, now, userId } = work;
    const { tx } = months;
    const id = planned.scheduleId;
    const locked = await lockSchedule(schedules, tx, id);
    if (locked === undefined) throw writeConflict(`Schedule '${planned.scheduleName}'`);
    const { date, due, entry, later, schedule } = await this.#decide(tx, locked, planned.request, planned.date);
    if (later.ids.some((draft) => !planned.later.includes(draft))) throw writeConflict(`Schedule '${schedule.name}'`);
    const swept = await sweep.promote(tx, due, { now, userId, drafts: true }, months);
    const [failed] = swept.errors;
    if (failed !== undefined)
      throw invalidInput(
        `The obligation ${failed.event_id} until ${date} cannot be drafted: ${failed.error} If the month should have no entry, move the obligation to 'voided' with update-event-block.`,
      );
    await entries.removeDrafts(months, later.ids, work);
    await obligations.void(
      tx,
      { scheduleId: id, after: lastMonthEnd(date), statuses: ['pending', 'classified'] },
      { reason: 'disposed', replacedBy: eventId },
    );
    const draft = { ...entry, memo: entry.memo ?? '', eventId, sourceStructureId: null, currency: schedule.currency };
    await entries.insert(months, [{ ...draft, provenance: 'system_computed', reversal: null }], now);
    await schedules.dispose(tx, id, { date, eventId, now });
    await block.dropRule(tx, id);
  }
}

/** The error for entries that credit another account and so did not reduce the one that the disposal clears. */
function creditedElsewhere(schedule: ScheduleRow, periods: readonly string[]): ServiceError {
  const { credit_element_id: elementId } = schedule.definition.entry_template;
  return invalidInput(
    `The entries of schedule '${schedule.name}' for ${monthsNamed(periods)} credit other accounts than '${elementId}', which the disposal would clear. Correct those that are drafts; where they have posted, end the schedule with terminate-schedule and book the disposal as a journal entry.`,
  );
}

/** The last day of the last month that ends on or before the date. */
function lastMonthEnd(date: string): string {
  const { start, end } = boundsOf(date.slice(0, 7));
  return end === date ? date : plusDays(start, -1);
}
