import { columnsOf, invalidInput, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerSchedule, LedgerScheduleMonth } from '../rows.gen.ts';
import type { ScheduleDefinition, ScheduleMonth } from './schedule-plan.ts';

export type NewSchedule = Pick<
  ScheduleRow,
  'structure_id' | 'taxonomy_id' | 'name' | 'currency' | 'definition' | 'anchor_event_id'
> & {
  readonly userId: string;
  readonly now: Date;
};

/** One month of one schedule. */
export interface MonthKey {
  readonly scheduleId: string;
  /** `YYYY-MM`. */
  readonly period: string;
}

type MonthColumns = Pick<LedgerScheduleMonth, 'structure_id' | 'period' | 'scope'>;

/** The amount of a schedule in a month, in minor units. */
export type MonthRow = MonthColumns & {
  readonly amount: bigint;
  readonly accumulated: bigint;
};

/** A schedule in the list of a month. */
export type MonthItemRow = Pick<LedgerSchedule, 'structure_id' | 'name' | 'currency'> & {
  /** Minor units; 0 when no entry is due. */
  readonly amount: string;
};

/** Limit of schedules in the list of a month. */
const maxMonthItems = 10_000;

const columns = columnsOf<LedgerSchedule>()(
  'structure_id',
  'taxonomy_id',
  'name',
  'currency',
  'definition',
  'anchor_event_id',
  // The last day that the schedule covers after a termination.
  'ended_on',
  'disposed_on',
  'disposal_event_id',
);

export type ScheduleRow = RowOf<typeof columns> & { readonly definition: ScheduleDefinition };

/** Schedules and their months. */
export class StoredSchedules {
  async find(tx: Transaction, id: string): Promise<ScheduleRow | undefined> {
    return (await this.findMany(tx, [id])).get(id);
  }

  /** By id; unknown ids are absent. */
  async findMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ScheduleRow>> {
    const rows = await tx.query(sql<ScheduleRow>`
      SELECT ${columns} FROM ledger_schedule WHERE graph_id = ${tx.graphId} AND structure_id = ANY (${[...ids]}::text[])`);
    return new Map(rows.map((row) => [row.structure_id, row]));
  }

  /**
   * Locks schedules, so that one writer at a time changes their months and drafts; after the period locks (ledger
   * L-150).
   */
  async lock(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ScheduleRow>> {
    const rows = await tx.query(sql<ScheduleRow>`
      SELECT ${columns} FROM ledger_schedule WHERE graph_id = ${tx.graphId} AND structure_id = ANY (${[...ids]}::text[])
      ORDER BY structure_id FOR NO KEY UPDATE`);
    return new Map(rows.map((row) => [row.structure_id, row]));
  }

  async insert(tx: Transaction, schedule: NewSchedule): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_schedule (graph_id, structure_id, taxonomy_id, name, currency, definition, anchor_event_id, created_at, created_by, updated_at)
      VALUES (${tx.graphId}, ${schedule.structure_id}, ${schedule.taxonomy_id}, ${schedule.name}, ${schedule.currency},
        ${JSON.stringify(schedule.definition)}::text::jsonb, ${schedule.anchor_event_id}, ${schedule.now}, ${schedule.userId}, ${schedule.now})`);
  }

  /** Replaces all months of a schedule. */
  async replaceMonths(tx: Transaction, id: string, months: readonly ScheduleMonth[]): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`DELETE FROM ledger_schedule_month WHERE graph_id = ${graphId} AND structure_id = ${id}`);
    const rows = months.map((month) => ({
      period: month.period,
      amount: month.amount.toString(),
      accumulated: month.accumulated.toString(),
      scope: month.scope,
    }));
    await tx.query(sql`
      INSERT INTO ledger_schedule_month (graph_id, structure_id, period, amount, accumulated, scope)
      SELECT ${graphId}, ${id}, period, amount, accumulated, scope
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS m (period text, amount bigint, accumulated bigint, scope text)`);
  }

  async update(
    tx: Transaction,
    id: string,
    change: { readonly name: string; readonly definition: ScheduleDefinition; readonly now: Date },
  ): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_schedule SET name = ${change.name}, definition = ${JSON.stringify(change.definition)}::text::jsonb, updated_at = ${change.now}
      WHERE graph_id = ${tx.graphId} AND structure_id = ${id}`);
  }

  /** Deletes the months after a day; earlier ones do not change (ledger L-189). */
  async end(tx: Transaction, id: string, lastDay: string, now: Date): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`
      UPDATE ledger_schedule SET ended_on = ${lastDay}::date, updated_at = ${now} WHERE graph_id = ${graphId} AND structure_id = ${id}`);
    await tx.query(sql`
      DELETE FROM ledger_schedule_month WHERE graph_id = ${graphId} AND structure_id = ${id} AND period > ${lastDay.slice(0, 7)}`);
  }

  /** Marks the asset as disposed of; its months stay (ledger L-188). */
  async dispose(
    tx: Transaction,
    id: string,
    disposal: { readonly date: string; readonly eventId: string; readonly now: Date },
  ): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_schedule SET disposed_on = ${disposal.date}::date, disposal_event_id = ${disposal.eventId}, updated_at = ${disposal.now}
      WHERE graph_id = ${tx.graphId} AND structure_id = ${id}`);
  }

  /** The schedule that a disposal has ended, locked; undefined when the event has ended none (ledger L-188). */
  async lockDisposedBy(tx: Transaction, eventId: string): Promise<ScheduleRow | undefined> {
    const [row] = await tx.query(sql<ScheduleRow>`
      SELECT ${columns} FROM ledger_schedule WHERE graph_id = ${tx.graphId} AND disposal_event_id = ${eventId} FOR NO KEY UPDATE`);
    return row;
  }

  /** True when the event is a disposal that has ended a schedule. */
  async isDisposedBy(tx: Transaction, eventId: string): Promise<boolean> {
    const rows = await tx.query(sql`
      SELECT 1 FROM ledger_schedule WHERE graph_id = ${tx.graphId} AND disposal_event_id = ${eventId}`);
    return rows.length > 0;
  }

  /** The schedule that the reversal of a disposal has restored, by its history; undefined when there is none. */
  async restoredBy(tx: Transaction, disposalEventId: string): Promise<ScheduleRow | undefined> {
    const note = JSON.stringify([{ reason: 'disposal_reversed', event_id: disposalEventId }]);
    const [row] = await tx.query(sql<ScheduleRow>`
      SELECT ${columns} FROM ledger_schedule AS s WHERE graph_id = ${tx.graphId} AND EXISTS (
        SELECT FROM ledger_event AS a WHERE a.graph_id = s.graph_id AND a.id = s.anchor_event_id
          AND a.metadata -> 'void_history' @> ${note}::text::jsonb)`);
    return row;
  }

  /** Marks the asset as back in the books. */
  async undoDisposal(tx: Transaction, id: string, now: Date): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_schedule SET disposed_on = NULL, disposal_event_id = NULL, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND structure_id = ${id}`);
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(sql`DELETE FROM ledger_schedule WHERE graph_id = ${tx.graphId} AND structure_id = ${id}`);
  }

  /** All months of a schedule, in order. */
  async months(tx: Transaction, id: string): Promise<readonly MonthRow[]> {
    const rows = await tx.query(sql<StoredMonth>`
      SELECT structure_id, period, amount::text, accumulated::text, scope FROM ledger_schedule_month
      WHERE graph_id = ${tx.graphId} AND structure_id = ${id} ORDER BY period`);
    return rows.map(monthRow);
  }

  /** The months with these keys; unknown ones are absent. */
  async monthsAt(tx: Transaction, keys: readonly MonthKey[]): Promise<readonly MonthRow[]> {
    const rows = await tx.query(sql<StoredMonth>`
      SELECT m.structure_id, m.period, m.amount::text, m.accumulated::text, m.scope
      FROM jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) AS k ("scheduleId" text, period text)
      JOIN ledger_schedule_month AS m ON m.graph_id = ${tx.graphId} AND m.structure_id = k."scheduleId" AND m.period = k.period`);
    return rows.map(monthRow);
  }

  /**
   * Every schedule with its amount in the month: none in history and after the disposal of its asset (ledger L-174).
   */
  async monthItems(tx: Transaction, period: string): Promise<readonly MonthItemRow[]> {
    const rows = await tx.query(sql<MonthItemRow>`
      SELECT s.structure_id, s.name, s.currency, coalesce(m.amount, 0)::text AS amount
      FROM ledger_schedule AS s LEFT JOIN ledger_schedule_month AS m ON m.graph_id = s.graph_id AND m.structure_id = s.structure_id
        AND m.period = ${period} AND m.scope = 'in_scope' AND (s.disposed_on IS NULL OR ${`${period}-01`}::date + interval '1 month' - interval '1 day' <= s.disposed_on)
      WHERE s.graph_id = ${tx.graphId} ORDER BY s.name, s.structure_id LIMIT ${maxMonthItems + 1}`);
    // A truncated list would be mistaken for the whole.
    if (rows.length > maxMonthItems)
      throw invalidInput(
        `The books have more than ${maxMonthItems} schedules, which is more than a month can show. Delete those that are over.`,
      );
    return rows;
  }

  /** The schedules with an amount in the month, whose rules are evaluated (ledger L-158). */
  async inMonth(tx: Transaction, period: string): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<LedgerScheduleMonth, 'structure_id'>>`
      SELECT structure_id FROM ledger_schedule_month WHERE graph_id = ${tx.graphId} AND period = ${period} AND scope = 'in_scope'
      ORDER BY structure_id`);
    return rows.map((row) => row.structure_id);
  }

  /** Counts the months in scope with a posted entry, by schedule (reporting B-34). */
  async periodsWithEntries(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.query(sql<Pick<LedgerScheduleMonth, 'structure_id'> & { readonly count: number }>`
      SELECT m.structure_id, count(DISTINCT m.period) AS count
      FROM ledger_entry AS e JOIN ledger_schedule_month AS m ON m.graph_id = e.graph_id AND m.structure_id = e.source_structure_id
        AND m.period = to_char(e.posting_date, 'YYYY-MM') AND m.scope = 'in_scope'
      WHERE e.graph_id = ${tx.graphId} AND e.source_structure_id = ANY (${[...ids]}::text[]) AND e.status <> 'draft' AND e.reversal_of IS NULL
      GROUP BY m.structure_id`);
    return new Map(rows.map((row) => [row.structure_id, row.count]));
  }
}

type StoredMonth = MonthColumns & {
  readonly amount: string;
  readonly accumulated: string;
};

function monthRow(row: StoredMonth): MonthRow {
  return { ...row, amount: BigInt(row.amount), accumulated: BigInt(row.accumulated) };
}
