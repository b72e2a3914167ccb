import { invalidInput, isServiceError, type ServiceError, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts } from '@pacioli/taxonomy';
import {
  closedMonths,
  closedPeriod,
  firstMonth,
  type LockedMonths,
  requirePostable,
  topUpMonths,
} from '../journal/index.ts';
import { type Actor, boundsOf, isCalendarDate } from '../values/index.ts';
import { countedByDisposal, scheduleNotFound } from './schedule-checks.ts';
import { type DraftOutcome, isAsWanted, type WantedEntry, wantedEntry } from './schedule-entry.ts';
import { datesOfEntry, type EntryOfMonth, type ScheduleJournal, type StandaloneEntry } from './schedule-journal.ts';
import type { MonthKey, MonthRow, ScheduleRow, StoredSchedules } from './stored-schedules.ts';

/** A request to draft a month. */
export interface DraftRequest extends MonthKey {
  /** The day of the entry; the last of the month unless given. */
  readonly postingDate?: string;
}

/** The decision about the draft of a month. */
export interface DraftDecision {
  readonly schedule: ScheduleRow;
  readonly period: string;
  readonly outcome: DraftOutcome;
  /** Minor units; 0 when no entry is due. */
  readonly amount: bigint;
  /** The entry to write, if any. */
  readonly wanted: WantedEntry | null;
  readonly existing: EntryOfMonth | null;
}

export interface DraftsParts {
  readonly chart: ChartOfAccounts;
  readonly schedules: StoredSchedules;
  readonly entries: ScheduleJournal;
}

/** The rows read for a batch of months. */
interface Readings {
  readonly schedules: ReadonlyMap<string, ScheduleRow>;
  readonly months: ReadonlyMap<string, MonthRow>;
  readonly entries: ReadonlyMap<string, EntryOfMonth>;
  readonly accounts: ReadonlyMap<string, Account>;
}

/** Makes the drafts of schedules match the amounts of their months; repeating it changes nothing (ledger L-183). */
export class ScheduleDrafts {
  readonly #parts: DraftsParts;

  constructor(parts: DraftsParts) {
    this.#parts = parts;
  }

  /**
   * Decides each month, in the order of the requests; a month that cannot be drafted gets its error. Read-only, with a
   * constant number of statements.
   */
  async decide(tx: Transaction, requests: readonly DraftRequest[]): Promise<readonly (DraftDecision | ServiceError)[]> {
    const sound = requests.filter((request) => isCalendarDate(`${request.period}-01`));
    const found = await this.#parts.schedules.findMany(tx, [...new Set(sound.map((request) => request.scheduleId))]);
    const known = sound.filter((request) => found.has(request.scheduleId));
    const legs = [...found.values()].flatMap(({ definition: { entry_template: template } }) => [
      template.debit_element_id,
      template.credit_element_id,
    ]);
    const readings: Readings = {
      schedules: found,
      months: byMonth(await this.#parts.schedules.monthsAt(tx, known), (month) => month.structure_id),
      entries: byMonth(await this.#parts.entries.ofMonths(tx, known), (entry) => entry.scheduleId),
      accounts: await this.#parts.chart.find(tx, [...new Set(legs)]),
    };
    const decided = requests.map((request) => attempt(() => decideOne(request, readings)));
    const closed = new Set(await closedMonths(tx, decided.flatMap(datesOf)));
    const begins = closed.size === 0 ? null : ((await firstMonth(tx)) ?? null);
    return decided.map((decision) => {
      const date = datesOf(decision).find((day) => closed.has(day.slice(0, 7)));
      return date === undefined ? decision : closedPeriod(date.slice(0, 7), date, begins);
    });
  }

  /** Executes decisions that were made under the locks of their schedules; each entry belongs to its event. */
  async write(
    months: LockedMonths,
    work: readonly { readonly decision: DraftDecision; readonly eventId: string }[],
    by: Actor,
  ): Promise<void> {
    const replaced = work.flatMap(({ decision: { outcome, existing } }) =>
      existing !== null && (outcome === 'regenerated' || outcome === 'removed') ? [existing.id] : [],
    );
    await this.#parts.entries.removeDrafts(months, replaced, by);
    const drafts = work.flatMap(({ decision, eventId }) => standalone(decision, eventId));
    await topUpMonths(months, drafts.flatMap(datesOfEntry));
    await this.#parts.entries.insert(months, drafts, by.now);
  }
}

/** The days that a decision writes to. */
export function datesOf(decision: DraftDecision | ServiceError): readonly string[] {
  if (isServiceError(decision) || decision.outcome === 'unchanged' || decision.outcome === 'skipped') return [];
  const { wanted, existing } = decision;
  const added =
    wanted === null ? [] : [wanted.postingDate, ...(wanted.reversal === null ? [] : [wanted.reversal.postingDate])];
  return [...added, ...(existing?.dates ?? [])];
}

/** True when no entry of the month will ever be due, so that an obligation for it would wait forever. */
export function movesNothing({ outcome }: DraftDecision): boolean {
  return outcome === 'skipped' || outcome === 'removed';
}

/** The amount of a month, which is zero in history and after the disposal of the asset (ledger L-188). */
function amountDue(schedule: ScheduleRow, month: MonthRow | undefined): bigint {
  if (month === undefined || month.scope !== 'in_scope') return 0n;
  const isGone = schedule.disposed_on !== null && boundsOf(month.period).end > schedule.disposed_on;
  return isGone ? 0n : month.amount;
}

function decideOne(request: DraftRequest, readings: Readings): DraftDecision {
  const { scheduleId, period } = request;
  if (!isCalendarDate(`${period}-01`)) throw invalidInput(`metadata.period_end: '${period}' names no month.`);
  const schedule = readings.schedules.get(scheduleId);
  if (schedule === undefined) throw scheduleNotFound(scheduleId);
  const existing = readings.entries.get(`${scheduleId} ${period}`) ?? null;
  if (existing !== null && existing.status !== 'draft') throw alreadyPosted(schedule, period);
  const amount = amountDue(schedule, readings.months.get(`${scheduleId} ${period}`));
  const facts = { schedule, period, amount, existing };
  if (amount === 0n) return { ...facts, wanted: null, outcome: existing === null ? 'skipped' : 'removed' };
  const plain = wantedEntry({ name: schedule.name, template: schedule.definition.entry_template }, period, amount);
  const wanted = { ...plain, postingDate: request.postingDate ?? plain.postingDate };
  if (existing !== null && isAsWanted(existing, wanted)) return { ...facts, wanted, outcome: 'unchanged' };
  if (schedule.disposed_on !== null) throw countedByDisposal(schedule, `The entry for ${period} cannot be drafted`);
  const ids = wanted.lines.map((line) => line.elementId);
  requirePostable(readings.accounts, ids, { entries: [{ lines: wanted.lines, reversalOf: null }] }, schedule.currency);
  return { ...facts, wanted, outcome: existing === null ? 'created' : 'regenerated' };
}

function standalone(decision: DraftDecision, eventId: string): readonly StandaloneEntry[] {
  const { schedule, wanted, outcome } = decision;
  if (wanted === null || (outcome !== 'created' && outcome !== 'regenerated')) return [];
  const source = { sourceStructureId: schedule.structure_id, provenance: 'schedule_derived' } as const;
  return [{ ...wanted, ...source, eventId, currency: schedule.currency }];
}

function byMonth<T extends { readonly period: string }>(
  rows: readonly T[],
  idOf: (row: T) => string,
): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [`${idOf(row)} ${row.period}`, row]));
}

function attempt<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}

/** The error for a posted month, which is never regenerated silently (ledger L-183). */
function alreadyPosted(schedule: ScheduleRow, period: string): ServiceError {
  return invalidInput(
    `The entry of schedule '${schedule.name}' for ${period} has already been posted. Use the reopen flow to modify it.`,
  );
}
