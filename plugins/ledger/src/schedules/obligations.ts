import { type Ids, sql, type Transaction } from '@pacioli/core';
import { isClosedMonth } from '../journal/index.ts';
import type { LedgerEvent, LedgerObligationSweep } from '../rows.gen.ts';
import type { NewObligation, ObligationFrame } from './obligation-plan.ts';
import type { MonthKey } from './stored-schedules.ts';

/** The settings of the automatic promotion of schedule obligations. */
export interface ScheduleSettings {
  /** True when the background sweep also drafts entries; off by default (ledger L-185). */
  autopilot(tx: Transaction): Promise<boolean>;
  setAutopilot(tx: Transaction, isOn: boolean): Promise<void>;
}

/** An obligation that is due. */
export type DueObligation = MonthKey & { readonly eventId: LedgerEvent['id'] };

/** Selects obligations; all given conditions must hold. */
export interface ObligationFilter {
  readonly eventIds?: readonly string[];
  readonly scheduleId?: string;
  /** Those that mature at this instant or before. */
  readonly maturedBy?: Date;
  /** Those of months after this day. */
  readonly after?: string;
  /** Only those of these months (`YYYY-MM`). */
  readonly periods?: readonly string[];
  /** Months (`YYYY-MM`) that are left out. */
  readonly exceptPeriods?: readonly string[];
  /** Only those of months that are not closed. */
  readonly isOpen?: true;
  readonly statuses: readonly string[];
}

export interface ObligationCount {
  readonly count: number;
  readonly earliest: string | null;
  readonly sample: readonly {
    readonly event_id: string;
    readonly schedule_id: string | null;
    readonly schedule_name: string | null;
    readonly period: string;
  }[];
}

/** Limit of obligations that a message names (ledger L-148). */
const maxSample = 5;

/** The void reasons that the system sets; a user's void has another one or none. */
const ownVoidReasons = [
  'historical',
  'no_amount',
  'unchanged',
  'rebuilt',
  'template_changed',
  'terminated',
  'disposed',
  'deleted',
] as const;

const periodOfEvent = sql`left(coalesce(e.metadata ->> 'period_end', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), 7)`;
/** The first day of its month; null when its metadata has no valid month. */
const monthOfEvent = sql`CASE WHEN ${periodOfEvent} ~ '^\\d{4}-(0[1-9]|1[0-2])$' THEN to_date(${periodOfEvent}, 'YYYY-MM') END`;
const isStranded = sql`e.status = 'classified' AND NOT EXISTS (
  SELECT FROM ledger_entry AS j WHERE j.graph_id = e.graph_id AND j.source_structure_id = e.metadata ->> 'schedule_id' AND j.reversal_of IS NULL
    AND j.posting_date >= ${monthOfEvent} AND j.posting_date < (${monthOfEvent} + interval '1 month')::date
  -- Each month is looked up by its index; as a join, each obligation would be compared with all entries of its schedule.
  OFFSET 0)`;

/** The register of schedule obligations (ledger L-182). */
export class Obligations {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Writes the anchor of a schedule; its id is given. */
  async anchor(tx: Transaction, frame: ObligationFrame, metadata: Readonly<Record<string, unknown>>): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency, description,
        metadata, created_at, created_by)
      VALUES (${tx.graphId}, ${frame.anchorId}, 'schedule_created', 'operational', 'schedule', 'committed', ${frame.now}, 'schedule',
        ${frame.currency}, ${`Schedule - ${frame.scheduleName}`}, ${JSON.stringify(metadata)}::text::jsonb, ${frame.now}, ${frame.userId})`);
  }

  /** Adds keys to the metadata of an anchor, and a line to its history of voids (ledger L-195). */
  async noteOnAnchor(
    tx: Transaction,
    anchorId: string,
    note: {
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly history: Readonly<Record<string, unknown>>;
    },
  ): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_event SET metadata = metadata || ${JSON.stringify(note.metadata ?? {})}::text::jsonb || jsonb_build_object('void_history',
        coalesce(metadata -> 'void_history', '[]'::jsonb) || ${JSON.stringify([note.history])}::text::jsonb)
      WHERE graph_id = ${tx.graphId} AND id = ${anchorId}`);
  }

  /** Writes obligations in the order of their months; one that replaces another is linked to it in both directions. */
  async register(tx: Transaction, frame: ObligationFrame, obligations: readonly NewObligation[]): Promise<void> {
    if (obligations.length === 0) return;
    const graphId = tx.graphId;
    const rows = obligations.map((obligation) => ({
      id: this.#ids.make('evt'),
      status: obligation.status,
      occurred_at: `${obligation.end}T23:59:59Z`,
      amount: obligation.amount.toString(),
      replaces: obligation.replaces,
      metadata: {
        schedule_id: frame.scheduleId,
        posting_date: obligation.end,
        period_start: obligation.start,
        period_end: obligation.end,
        ...(obligation.voidReason === null ? {} : { void_reason: obligation.voidReason }),
      },
    }));
    await tx.query(sql`
      WITH added AS (
        INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, amount, currency,
          description, metadata, obligated_by_event_id, replaces_event_id, created_at, created_by)
        SELECT ${graphId}, id, 'schedule_entry_due', 'economic', 'recognition', status, occurred_at, 'schedule', amount, ${frame.currency},
          ${`Schedule entry due - ${frame.scheduleName}`}, metadata, ${frame.anchorId}, replaces, ${frame.now}, ${frame.userId}
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          AS o (id text, status text, occurred_at timestamptz, amount bigint, replaces text, metadata jsonb)
        RETURNING id, replaces_event_id
      )
      UPDATE ledger_event AS e SET replaced_by_event_id = added.id FROM added
      WHERE e.graph_id = ${graphId} AND e.id = added.replaces_event_id`);
    await this.reschedule(tx);
  }

  /** The matching obligations by time and id; locks them in the order of their ids on request (ledger L-150). */
  async list(tx: Transaction, filter: ObligationFilter, limit: number): Promise<readonly DueObligation[]> {
    return tx.query(sql<DueObligation>`
      SELECT e.id AS "eventId", e.metadata ->> 'schedule_id' AS "scheduleId", ${periodOfEvent} AS period
      FROM ledger_event AS e WHERE ${this.#where(tx, filter)} ORDER BY e.occurred_at, e.id LIMIT ${limit}`);
  }

  /** Matured obligations that were promoted and have no entry, by time and id (ledger L-185). */
  async stranded(
    tx: Transaction,
    filter: Omit<ObligationFilter, 'statuses'>,
    limit: number,
  ): Promise<readonly DueObligation[]> {
    return tx.query(sql<DueObligation>`
      SELECT e.id AS "eventId", e.metadata ->> 'schedule_id' AS "scheduleId", ${periodOfEvent} AS period
      FROM ledger_event AS e WHERE ${this.#where(tx, { ...filter, statuses: ['classified'] })} AND ${isStranded}
      ORDER BY e.occurred_at, e.id LIMIT ${limit}`);
  }

  /** Classifies pending obligations and returns their ids, without those that another caller took in the meantime. */
  async classify(tx: Transaction, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const graphId = tx.graphId;
    const rows = await tx.query(sql<Pick<LedgerEvent, 'id'>>`
      WITH mine AS (
        SELECT id FROM ledger_event WHERE graph_id = ${graphId} AND id = ANY (${[...eventIds]}::text[]) AND status = 'pending'
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE ledger_event AS e SET status = 'classified' FROM mine WHERE e.graph_id = ${graphId} AND e.id = mine.id RETURNING e.id`);
    return new Set(rows.map((row) => row.id));
  }

  /** Voids the matching obligations and returns them by id with their month. */
  async void(
    tx: Transaction,
    filter: ObligationFilter,
    why: { readonly reason: string; readonly replacedBy?: string },
  ): Promise<readonly DueObligation[]> {
    const graphId = tx.graphId;
    const rows = await tx.query(sql<DueObligation>`
      WITH mine AS (
        SELECT e.id FROM ledger_event AS e WHERE ${this.#where(tx, filter)} ORDER BY e.id FOR NO KEY UPDATE
      )
      UPDATE ledger_event AS e SET status = 'voided', metadata = e.metadata || ${JSON.stringify({ void_reason: why.reason })}::text::jsonb,
        replaced_by_event_id = coalesce(${why.replacedBy ?? null}, e.replaced_by_event_id)
      FROM mine WHERE e.graph_id = ${graphId} AND e.id = mine.id
      RETURNING e.id AS "eventId", e.metadata ->> 'schedule_id' AS "scheduleId", ${periodOfEvent} AS period`);
    await this.reschedule(tx);
    return [...rows].sort((one, other) => (one.period < other.period ? -1 : 1));
  }

  /** The void obligations that an event has replaced, by month (ledger L-188). */
  async replacedBy(tx: Transaction, scheduleId: string, eventId: string): Promise<readonly DueObligation[]> {
    return tx.query(sql<DueObligation>`
      SELECT e.id AS "eventId", e.metadata ->> 'schedule_id' AS "scheduleId", ${periodOfEvent} AS period
      FROM ledger_event AS e WHERE ${this.#where(tx, { scheduleId, statuses: ['voided'] })} AND e.replaced_by_event_id = ${eventId}
      ORDER BY e.occurred_at, e.id`);
  }

  /** The months that have an obligation which is neither void nor pending. */
  async settledPeriods(tx: Transaction, scheduleId: string): Promise<ReadonlySet<string>> {
    const rows = await tx.query(sql<{ period: string }>`
      SELECT ${periodOfEvent} AS period FROM ledger_event AS e
      WHERE ${this.#where(tx, { scheduleId, statuses: ['classified', 'committed', 'fulfilled'] })}`);
    return new Set(rows.map((row) => row.period));
  }

  /** The months that a user dropped: all their obligations are void, and not all of them by the system. */
  async droppedPeriods(tx: Transaction, scheduleId: string): Promise<ReadonlySet<string>> {
    const rows = await tx.query(sql<{ period: string }>`
      SELECT ${periodOfEvent} AS period FROM ledger_event AS e
      WHERE e.graph_id = ${tx.graphId} AND e.event_type = 'schedule_entry_due' AND e.metadata ->> 'schedule_id' = ${scheduleId}
      GROUP BY 1 HAVING bool_and(e.status IN ('voided', 'superseded'))
        AND bool_or(coalesce(e.metadata ->> 'void_reason', '') <> ALL (${[...ownVoidReasons]}::text[]))`);
    return new Set(rows.map((row) => row.period));
  }

  /** The obligations that block the close of a month (ledger 7.3). */
  async blockers(tx: Transaction, kind: 'pending' | 'stranded', maturedBy: Date): Promise<ObligationCount> {
    const filter = { maturedBy, statuses: [kind === 'pending' ? 'pending' : 'classified'] };
    const only = kind === 'pending' ? sql`true` : isStranded;
    const [row] = await tx.query(sql<ObligationCount>`
      WITH found AS (
        SELECT e.id AS event_id, e.metadata ->> 'schedule_id' AS schedule_id, s.name AS schedule_name, ${periodOfEvent} AS period, e.occurred_at
        FROM ledger_event AS e LEFT JOIN ledger_schedule AS s ON s.graph_id = e.graph_id AND s.structure_id = e.metadata ->> 'schedule_id'
        WHERE ${this.#where(tx, filter)} AND ${only}
      )
      SELECT (SELECT count(*) FROM found) AS count, (SELECT min(period) FROM found) AS earliest,
        coalesce((SELECT jsonb_agg(to_jsonb(f) - 'occurred_at') FROM (
          SELECT * FROM found ORDER BY occurred_at, event_id LIMIT ${maxSample}) AS f), '[]'::jsonb) AS sample`);
    return row ?? { count: 0, earliest: null, sample: [] };
  }

  /** Schedules the sweep for the next maturity, or leaves it when it is due earlier. */
  async reschedule(tx: Transaction): Promise<void> {
    const graphId = tx.graphId;
    // Never later: the statement does not see what others wrote while it waited for the row, and the row may request
    // the retry of a sweep. A sweep that comes too early costs nothing.
    await tx.query(sql`
      INSERT INTO ledger_obligation_sweep (graph_id, due_at) VALUES (${graphId}, ${this.#firstPending(graphId)})
      ON CONFLICT (graph_id) DO UPDATE SET due_at = least(ledger_obligation_sweep.due_at, excluded.due_at)`);
  }

  /** Schedules the sweep after a run: for the next maturity, or for the given instant if that is earlier. */
  async rescheduleAfterRun(tx: Transaction, againAt: Date | null): Promise<void> {
    const graphId = tx.graphId;
    // A separate statement locks the row, so that the second one sees what others have added until then.
    await tx.query(sql`
      INSERT INTO ledger_obligation_sweep (graph_id, due_at) VALUES (${graphId}, NULL)
      ON CONFLICT (graph_id) DO UPDATE SET due_at = ledger_obligation_sweep.due_at`);
    await tx.query(sql`
      UPDATE ledger_obligation_sweep SET due_at = least(${this.#firstPending(graphId)}, ${againAt}::timestamptz) WHERE graph_id = ${graphId}`);
  }

  #firstPending(graphId: string) {
    return sql`(SELECT min(occurred_at) FROM ledger_event
      WHERE graph_id = ${graphId} AND event_type = 'schedule_entry_due' AND status = 'pending')`;
  }

  async autopilot(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query(sql<Pick<LedgerObligationSweep, 'autopilot'>>`
      SELECT autopilot FROM ledger_obligation_sweep WHERE graph_id = ${tx.graphId}`);
    return row?.autopilot ?? false;
  }

  /** Switches drafting on or off; the next sweep visits the graph to draft what earlier ones left. */
  async setAutopilot(tx: Transaction, isOn: boolean): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_obligation_sweep (graph_id, due_at, autopilot) VALUES (${tx.graphId}, to_timestamp(0), ${isOn})
      ON CONFLICT (graph_id) DO UPDATE SET autopilot = excluded.autopilot, due_at = excluded.due_at`);
  }

  /** The graphs with matured obligations, longest waiting first; requires the kernel's scope. */
  async dueGraphs(tx: Transaction, now: Date, limit: number): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<LedgerObligationSweep, 'graph_id'>>`
      SELECT graph_id FROM ledger_obligation_sweep WHERE due_at <= ${now} ORDER BY due_at, graph_id LIMIT ${limit}`);
    return rows.map((row) => row.graph_id);
  }

  #where(tx: Transaction, filter: ObligationFilter) {
    const { eventIds, scheduleId, maturedBy, after, periods, exceptPeriods, isOpen, statuses } = filter;
    const graphId = tx.graphId;
    return sql`e.graph_id = ${graphId} AND e.event_type = 'schedule_entry_due' AND e.status = ANY (${[...statuses]}::text[])
      ${eventIds === undefined ? sql`` : sql`AND e.id = ANY (${[...eventIds]}::text[])`}
      ${scheduleId === undefined ? sql`` : sql`AND e.metadata ->> 'schedule_id' = ${scheduleId}`}
      ${maturedBy === undefined ? sql`` : sql`AND e.occurred_at <= ${maturedBy}`}
      ${after === undefined ? sql`` : sql`AND ${periodOfEvent} > ${after.slice(0, 7)}`}
      ${periods === undefined ? sql`` : sql`AND ${periodOfEvent} = ANY (${[...periods]}::text[])`}
      ${exceptPeriods === undefined ? sql`` : sql`AND ${periodOfEvent} <> ALL (${[...exceptPeriods]}::text[])`}
      ${isOpen === undefined ? sql`` : sql`AND NOT ${isClosedMonth(graphId, periodOfEvent)}`}`;
  }
}
