import { columnsOf, type Ids, type Page, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerAgent } from '../rows.gen.ts';
import { type Actor, equal } from '../values/index.ts';

/** The fields of an agent that a caller sets. */
export interface AgentFields
  extends Pick<
    LedgerAgent,
    | 'name'
    | 'legal_name'
    | 'tax_id'
    | 'registration_number'
    | 'duns'
    | 'lei'
    | 'email'
    | 'phone'
    | 'is_active'
    | 'is_1099_recipient'
  > {
  readonly address: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface NewAgent extends AgentFields, Pick<LedgerAgent, 'source' | 'external_id'> {
  readonly agent_type: string;
}

export interface AgentFilter {
  readonly agentType?: string | undefined;
  readonly source?: string | undefined;
  /** Undefined shows both (ledger L-35). */
  readonly isActive?: boolean | undefined;
}

const columns = columnsOf<LedgerAgent>()(
  'id',
  'agent_type',
  'name',
  'legal_name',
  'tax_id',
  'registration_number',
  'duns',
  'lei',
  'email',
  'phone',
  'address',
  'source',
  'external_id',
  'is_active',
  'is_1099_recipient',
  'metadata',
  'created_at',
  'updated_at',
  'created_by',
);

export type AgentRow = RowOf<typeof columns> & Pick<AgentFields, 'address' | 'metadata'>;

/** The counterparties of a graph. They are never deleted (ledger L-35). */
export class StoredAgents {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Writes an agent; undefined when its source and external id are taken (ledger L-33). */
  async create(tx: Transaction, agent: NewAgent, by: Actor): Promise<AgentRow | undefined> {
    const [row] = await tx.query(sql<AgentRow>`
      INSERT INTO ledger_agent (graph_id, id, agent_type, name, legal_name, tax_id, registration_number, duns, lei, email, phone, address,
        source, external_id, is_active, is_1099_recipient, metadata, created_at, updated_at, created_by)
      VALUES (${tx.graphId}, ${this.#ids.make('agt')}, ${agent.agent_type}, ${agent.name}, ${agent.legal_name}, ${agent.tax_id},
        ${agent.registration_number}, ${agent.duns}, ${agent.lei}, ${agent.email}, ${agent.phone}, ${asJson(agent.address)},
        ${agent.source}, ${agent.external_id}, ${agent.is_active}, ${agent.is_1099_recipient}, ${asJson(agent.metadata)},
        ${by.now}, ${by.now}, ${by.userId})
      ON CONFLICT (graph_id, source, external_id) WHERE external_id IS NOT NULL DO NOTHING RETURNING ${columns}`);
    return row;
  }

  /** True when another agent has the same name, type and email address. */
  async hasDuplicate(tx: Transaction, agent: AgentRow): Promise<boolean> {
    const [row] = await tx.query(sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM ledger_agent WHERE graph_id = ${tx.graphId} AND lower(name) = lower(${agent.name}) AND name = ${agent.name}
        AND agent_type = ${agent.agent_type} AND email IS NOT DISTINCT FROM ${agent.email} AND id <> ${agent.id}) AS found`);
    return row?.found ?? false;
  }

  async find(tx: Transaction, id: string): Promise<AgentRow | undefined> {
    return this.#one(tx, id, sql``);
  }

  /** The agent, locked until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<AgentRow | undefined> {
    return this.#one(tx, id, sql`FOR NO KEY UPDATE`);
  }

  async #one(tx: Transaction, id: string, lock: RawBuilder<unknown>): Promise<AgentRow | undefined> {
    const [row] = await tx.query(
      sql<AgentRow>`SELECT ${columns} FROM ledger_agent WHERE graph_id = ${tx.graphId} AND id = ${id} ${lock}`,
    );
    return row;
  }

  async update(tx: Transaction, id: string, fields: AgentFields, now: Date): Promise<AgentRow> {
    const [row] = await tx.query(sql<AgentRow>`
      UPDATE ledger_agent SET name = ${fields.name}, legal_name = ${fields.legal_name}, tax_id = ${fields.tax_id},
        registration_number = ${fields.registration_number}, duns = ${fields.duns}, lei = ${fields.lei}, email = ${fields.email},
        phone = ${fields.phone}, address = ${asJson(fields.address)}, is_active = ${fields.is_active},
        is_1099_recipient = ${fields.is_1099_recipient}, metadata = ${asJson(fields.metadata)}, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ${id} RETURNING ${columns}`);
    if (row === undefined) throw new Error('A locked agent no longer exists.');
    return row;
  }

  /** A page by name, ignoring case, then id (ledger L-35a). All names are above '', which lets an index of names serve. */
  async list(tx: Transaction, filter: AgentFilter, page: Page): Promise<readonly AgentRow[]> {
    return tx.query(sql<AgentRow>`
      SELECT ${columns} FROM ledger_agent WHERE graph_id = ${tx.graphId} AND lower(name) >= '' ${equal('agent_type', filter.agentType)}
        ${equal('source', filter.source)} ${equal('is_active', filter.isActive)}
      ORDER BY lower(name), id LIMIT ${page.limit} OFFSET ${page.offset}`);
  }
}

function asJson(value: Readonly<Record<string, unknown>> | null): RawBuilder<unknown> {
  return value === null ? sql`NULL` : sql`${JSON.stringify(value)}::text::jsonb`;
}
