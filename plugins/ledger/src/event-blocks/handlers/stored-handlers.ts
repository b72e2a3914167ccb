import { columnsOf, type Ids, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerEventHandler } from '../../rows.gen.ts';
import type { Actor } from '../../values/index.ts';
import type { MatchRules } from './handler-match.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a handler that a caller sets. */
export interface HandlerFields
  extends MatchRules,
    Pick<LedgerEventHandler, 'is_active' | 'description' | 'approved_by' | 'approved_at'> {
  readonly transaction_template: Fields;
  readonly metadata: Fields;
}

export interface NewHandler extends HandlerFields, Pick<LedgerEventHandler, 'event_type'> {}

/** Limit of handlers of one graph: each event is compared with all handlers of its type. */
export const maxHandlers = 1_000;

const storedColumns = columnsOf<LedgerEventHandler>()(
  'id',
  'name',
  'event_type',
  'event_category',
  'match_source',
  'match_agent_type',
  'match_resource_type',
  'match_metadata_expression',
  'transaction_template',
  'priority',
  'is_active',
  'origin',
  'description',
  'suggested_by',
  'approved_by',
  'approved_at',
  'metadata',
  'version',
  'created_at',
  'updated_at',
  'created_by',
);
const columns = sql`${storedColumns}, confidence::float8 AS confidence`;

export type HandlerRow = RowOf<typeof storedColumns> &
  Pick<HandlerFields, 'match_metadata_expression' | 'transaction_template' | 'metadata'> & {
    readonly confidence: number | null;
  };

/** The rules of the tenant (ledger 5.9). */
export class StoredHandlers {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Counts the handlers of the graph under a lock, so that two creations cannot both pass the limit. */
  async countForCreation(tx: Transaction): Promise<number> {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.handlers.${tx.graphId}`}, 0))`);
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*) AS count FROM ledger_event_handler WHERE graph_id = ${tx.graphId}`);
    return row?.count ?? 0;
  }

  /** Writes a handler; undefined when its name is taken. */
  async create(tx: Transaction, handler: NewHandler, by: Actor): Promise<HandlerRow | undefined> {
    const [row] = await tx.query(sql<HandlerRow>`
      INSERT INTO ledger_event_handler (graph_id, id, name, event_type, event_category, match_source, match_agent_type, match_resource_type,
        match_metadata_expression, transaction_template, priority, is_active, origin, description, metadata, created_at, updated_at, created_by)
      VALUES (${tx.graphId}, ${this.#ids.make('hdl')}, ${handler.name}, ${handler.event_type}, ${handler.event_category},
        ${handler.match_source}, ${handler.match_agent_type}, ${handler.match_resource_type},
        ${jsonText(handler.match_metadata_expression)}::text::jsonb, ${JSON.stringify(handler.transaction_template)}::text::jsonb,
        ${handler.priority}, ${handler.is_active}, 'tenant', ${handler.description}, ${JSON.stringify(handler.metadata)}::text::jsonb,
        ${by.now}, ${by.now}, ${by.userId})
      ON CONFLICT (graph_id, name) DO NOTHING RETURNING ${columns}`);
    return row;
  }

  async find(tx: Transaction, id: string): Promise<HandlerRow | undefined> {
    const [row] = await tx.query(
      sql<HandlerRow>`SELECT ${columns} FROM ledger_event_handler WHERE graph_id = ${tx.graphId} AND id = ${id}`,
    );
    return row;
  }

  /** The handler, locked until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<HandlerRow | undefined> {
    const [row] = await tx.query(
      sql<HandlerRow>`
        SELECT ${columns} FROM ledger_event_handler WHERE graph_id = ${tx.graphId} AND id = ${id} FOR NO KEY UPDATE`,
    );
    return row;
  }

  async isNameTaken(tx: Transaction, name: string, exceptId: string): Promise<boolean> {
    const [row] = await tx.query(sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM ledger_event_handler WHERE graph_id = ${tx.graphId} AND name = ${name} AND id <> ${exceptId}) AS found`);
    return row?.found ?? false;
  }

  /** Writes the fields as the next version of the handler. */
  async update(tx: Transaction, id: string, fields: HandlerFields, now: Date): Promise<HandlerRow> {
    const [row] = await tx.query(sql<HandlerRow>`
      UPDATE ledger_event_handler SET name = ${fields.name}, event_category = ${fields.event_category}, match_source = ${fields.match_source},
        match_agent_type = ${fields.match_agent_type}, match_resource_type = ${fields.match_resource_type},
        match_metadata_expression = ${jsonText(fields.match_metadata_expression)}::text::jsonb,
        transaction_template = ${JSON.stringify(fields.transaction_template)}::text::jsonb, priority = ${fields.priority},
        is_active = ${fields.is_active}, description = ${fields.description}, approved_by = ${fields.approved_by},
        approved_at = ${fields.approved_at}, metadata = ${JSON.stringify(fields.metadata)}::text::jsonb, version = version + 1, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ${id} RETURNING ${columns}`);
    if (row === undefined) throw new Error('A locked handler no longer exists.');
    return row;
  }

  /**
   * The handlers that may match an event of the type; those that a machine suggested only once approved (ledger L-107).
   */
  async candidates(tx: Transaction, eventType: string): Promise<readonly HandlerRow[]> {
    return tx.query(sql<HandlerRow>`
      SELECT ${columns} FROM ledger_event_handler
      WHERE graph_id = ${tx.graphId} AND event_type = ${eventType} AND is_active
        AND (suggested_by IS DISTINCT FROM 'ai' OR approved_at IS NOT NULL)
      ORDER BY name LIMIT ${maxHandlers}`);
  }
}

function jsonText(value: Fields | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
