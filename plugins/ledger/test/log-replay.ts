import { type Store, sql } from '@pacioli/core';
import { expect } from 'vitest';
import type { Delivery, Reconciliation } from '../src/index.ts';
import type { LedgerLog } from '../src/rows.gen.ts';
import { metadataOfStored } from '../src/values/index.ts';
import type { Books, Loose } from './books.ts';

export type LogRow = Pick<LedgerLog, 'id' | 'kind' | 'subject_id'> & {
  readonly recorded_at: string;
  readonly payload: Loose;
};

export interface ReplayService {
  readonly store: Store;
  readonly reconciliation: Reconciliation;
  readonly now: () => Date;
}

/** The log of a graph after a given row, in the order of writing; what a row holds of the journal of its event follows it. */
export async function logAfter(store: Store, graphId: string, id: number): Promise<readonly LogRow[]> {
  const rows = await store.transaction({ graphId }, (tx) =>
    tx.query(sql<LogRow>`
      SELECT l.id, r.kind, r.subject_id, l.recorded_at::text AS recorded_at, r.payload FROM ledger_log AS l
      CROSS JOIN LATERAL (
        SELECT 0 AS place, l.kind, l.subject_id, ledger_log_unpacked(l.subject_id, l.payload) AS payload UNION ALL
        SELECT CASE j.kind WHEN 'transaction_added' THEN 1 ELSE 2 END, j.* FROM ledger_log_journal_rows(l.subject_id, l.payload) AS j) AS r
      WHERE l.graph_id = ${graphId} AND l.id > ${id} ORDER BY l.id, r.place, r.subject_id`),
  );
  return rows.map((row) =>
    row.payload.metadata == null
      ? row
      : { ...row, payload: { ...row.payload, metadata: metadataOfStored(row.payload.metadata) } },
  );
}

/** True for kinds that one transaction writes at most once, so that a second one starts another transaction. */
const isHead = ({ kind, payload }: LogRow): boolean =>
  kind === 'event_recorded' ||
  kind === 'handler_version' ||
  (kind === 'calendar' && payload.type !== 'target_advanced_auto');

/**
 * Groups rows by transaction: they are consecutive and have the time of its start. Two transactions may start in the
 * same tick of a coarse clock; their head rows tell them apart.
 */
function byTransaction(rows: readonly LogRow[]): readonly (readonly LogRow[])[] {
  const groups: LogRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const isSame = group?.[0]?.recorded_at === row.recorded_at && !(isHead(row) && group.some(isHead));
    if (group !== undefined && isSame) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

const handlerFields = [
  'name',
  'event_type',
  'transaction_template',
  'description',
  'event_category',
  'match_source',
  'priority',
  'is_active',
];
const eventFields = [
  'event_type',
  'event_category',
  'event_action',
  'occurred_at',
  'effective_at',
  'source',
  'external_id',
  'amount',
  'currency',
  'description',
  'metadata',
];

const pick = (from: Loose, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => from[field] != null).map((field) => [field, from[field]]));

/** Replays a log on other books with the same chart, from the log alone (ledger L-203). */
export class LogReplay {
  /** The new ids by those in the log. */
  readonly ids: Map<string, string>;
  readonly #service: ReplayService;
  readonly #to: Books;
  #last: number;

  constructor(
    service: ReplayService,
    to: Books,
    start: { readonly ids: ReadonlyMap<string, string>; readonly last: number },
  ) {
    this.#service = service;
    this.#to = to;
    this.ids = new Map(start.ids);
    this.#last = start.last;
  }

  /** Replays one transaction at a time; each must write rows of the same kinds. */
  async run(log: readonly LogRow[]): Promise<void> {
    for (const rows of byTransaction(log)) {
      await this.#take(rows);
      const made = await logAfter(this.#service.store, this.#to.graph, this.#last);
      expect(made.map(({ kind }) => kind)).toEqual(rows.map(({ kind }) => kind));
      // Known subjects keep their id: a statement that changes several rows logs them in the order of its plan.
      for (const [index, row] of rows.entries())
        if (!this.ids.has(row.subject_id)) this.ids.set(row.subject_id, made[index]?.subject_id ?? '');
      this.#last = made.at(-1)?.id ?? this.#last;
    }
  }

  /** Translates ids of the log into those of these books. */
  #here<T>(value: T): T {
    const text = JSON.stringify(value).replaceAll(/"(?:elem|evt|je|evh|hdl)_[0-9A-Za-z]+"/g, (quoted) =>
      JSON.stringify(this.ids.get(quoted.slice(1, -1)) ?? quoted.slice(1, -1)),
    );
    return JSON.parse(text);
  }

  async #send(name: string, body: object): Promise<void> {
    const answer = await this.#to.operation(name, this.#here(body));
    expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
  }

  async #take(rows: readonly LogRow[]): Promise<void> {
    const find = (kind: string, also: (payload: Loose) => boolean = () => true) =>
      rows.find((row) => row.kind === kind && also(row.payload));
    const calendar = find('calendar', ({ type }) => type !== 'target_advanced_auto');
    const handler = find('handler_version');
    const recorded = find('event_recorded');
    const resolved = find('event_changed', ({ metadata }) => metadata?.reconciliation_history !== undefined);
    const drifted = find('event_changed', ({ metadata }) => metadata?.drift_payload !== undefined);
    const moved = find('event_changed', ({ status }) => status !== undefined);
    const edited = find('entry_changed');
    const deleted = find('entry_deleted');
    if (calendar !== undefined) await this.#calendar(calendar.payload);
    else if (handler !== undefined) await this.#handler(handler);
    else if (resolved !== undefined) await this.#resolve(resolved);
    else if (drifted !== undefined) await this.#deliver(drifted.payload.metadata, drifted);
    else if (recorded !== undefined && recorded.payload.metadata?.connection_id !== undefined)
      await this.#deliver(recorded.payload.metadata, recorded);
    else if (recorded !== undefined)
      await this.#send('create-event-block', {
        ...pick(recorded.payload, eventFields),
        apply_handlers: find('entry_written') !== undefined,
      });
    else if (moved?.payload.status === 'fulfilled' && find('entry_written')?.payload.entry.provenance === 'source_sync')
      await this.#book(moved.subject_id);
    else if (moved !== undefined) {
      const successor = moved.payload.replaced_by_event_id;
      await this.#send('update-event-block', {
        event_id: moved.subject_id,
        transition_to: moved.payload.status,
        ...(successor == null ? {} : { superseded_by_id: successor }),
      });
    } else if (edited !== undefined) await this.#edit(edited, find('entry_written'));
    else if (deleted !== undefined) await this.#send('delete-journal-entry', { entry_id: deleted.subject_id });
    else throw new Error(`Nothing writes only ${rows.map(({ kind }) => kind).join(', ')}.`);
  }

  async #calendar({ type, period, to_value: to, reason }: Loose): Promise<void> {
    if (type === 'period_closed') return this.#send('close-period', { period });
    if (type === 'period_reopened') return this.#send('reopen-period', { period, reason });
    return this.#send('set-close-target', { period: to });
  }

  async #handler({ subject_id: id, payload: { version, content } }: LogRow): Promise<void> {
    const fields = pick(content, handlerFields);
    if (version === 1) return this.#send('create-event-handler', fields);
    const { event_type: _type, ...changes } = fields;
    return this.#send('update-event-handler', { event_handler_id: id, ...changes });
  }

  async #edit({ subject_id: id, payload: { entry } }: LogRow, written: LogRow | undefined): Promise<void> {
    const lineItems = written?.payload.line_items.map((line: Loose) =>
      pick(line, ['element_id', 'debit_amount', 'credit_amount', 'description', 'metadata']),
    );
    const fields = { posting_date: entry.posting_date, memo: entry.memo, type: entry.type };
    await this.#send('update-journal-entry', {
      entry_id: id,
      ...fields,
      ...(lineItems === undefined ? {} : { line_items: lineItems }),
    });
  }

  async #resolve({ subject_id: eventId, payload: { metadata } }: LogRow): Promise<void> {
    const { disposition, note } = metadata.reconciliation_history.at(-1);
    await this.#send('resolve-reconciling-item', { event_id: eventId, disposition, note });
  }

  /** Replays a delivery: the event row holds the first payload, and each later one that differs is its drift. */
  async #deliver(metadata: Loose, row: LogRow): Promise<void> {
    const { connection_id, qb_sync_token: version, drift_payload, drift_header, ...first } = metadata;
    const graphId = this.#to.graph;
    await this.#service.store.transaction({ graphId }, async (tx) => {
      const [known] = await tx.query(
        sql<Loose>`SELECT event_type, event_category, source, external_id FROM ledger_event WHERE id = ${this.ids.get(row.subject_id) ?? ''}`,
      );
      const head = known ?? row.payload;
      const header = drift_header ?? row.payload;
      const delivery: Delivery = {
        source: head.source,
        externalId: head.external_id,
        connectionId: connection_id,
        eventType: head.event_type,
        eventCategory: head.event_category,
        eventAction: null,
        occurredAt: header.occurred_at,
        effectiveAt: header.effective_at ?? null,
        amount: header.amount ?? null,
        currency: header.currency,
        description: header.description ?? null,
        agentId: null,
        resourceElementId: null,
        externalUrl: null,
        metadata: this.#here(drift_payload ?? first),
        version,
      };
      await this.#service.reconciliation.deliver(tx, delivery, { userId: 'usr_sync', now: this.#service.now() });
    });
  }

  async #book(eventId: string): Promise<void> {
    const booking = await this.#service.store.transaction({ graphId: this.#to.graph }, (tx) =>
      this.#service.reconciliation.book(tx, this.ids.get(eventId) ?? '', this.#service.now()),
    );
    expect(booking).toEqual({ isBooked: true, status: 'fulfilled' });
  }
}
