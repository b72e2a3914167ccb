import {
  columnsOf,
  type Ids,
  type Page,
  type RawBuilder,
  type RowOf,
  sql,
  type Transaction,
  textList,
} from '@pacioli/core';
import type { InvestorPortfolio, InvestorPosition, InvestorSecurity } from '../rows.gen.ts';
import type { Actor } from '../values/index.ts';
import type { CurrencySums } from './totals.ts';

/** The fields of a position that a caller sets. */
export type PositionFields = Pick<
  InvestorPosition,
  | 'security_id'
  | 'quantity'
  | 'quantity_type'
  | 'cost_basis'
  | 'currency'
  | 'current_value'
  | 'valuation_date'
  | 'valuation_source'
  | 'acquisition_date'
  | 'notes'
>;

export interface PositionFilter {
  readonly portfolioId?: string | undefined;
  readonly securityId?: string | undefined;
  readonly status?: string | undefined;
}

const columns = columnsOf<InvestorPosition>('p')(
  'id',
  'portfolio_id',
  'security_id',
  'quantity',
  'quantity_type',
  'cost_basis',
  'currency',
  'current_value',
  'valuation_date',
  'valuation_source',
  'acquisition_date',
  'disposition_date',
  'status',
  'notes',
  'created_at',
  'updated_at',
);

export type PositionRow = RowOf<typeof columns>;

const ofSecurity = columnsOf<InvestorSecurity>('s')({
  security_name: 'name',
  security_type: 'security_type',
  security_subtype: 'security_subtype',
  security_is_active: 'is_active',
  security_source_graph_id: 'source_graph_id',
  issuer_id: 'entity_id',
});

/** A position with what is shown of its security (R-5). */
export type HeldPosition = PositionRow & RowOf<typeof ofSecurity>;

/** The active positions under one issuer, or under none: a list for each field, all in the order of the positions. */
export interface HeldColumns {
  readonly issuer_id: InvestorSecurity['entity_id'];
  readonly security_id: readonly InvestorPosition['security_id'][];
  readonly security_name: readonly InvestorSecurity['name'][];
  readonly security_type: readonly InvestorSecurity['security_type'][];
  /** As the nearest double. */
  readonly quantity: readonly number[];
  readonly quantity_type: readonly InvestorPosition['quantity_type'][];
  readonly cost_basis: readonly InvestorPosition['cost_basis'][];
  readonly current_value: readonly InvestorPosition['current_value'][];
}

/** The sums of the active positions in securities of one issuer, or of none, in one currency. */
export interface IssuerSums extends CurrencySums {
  readonly issuerId: string | null;
}

const withSecurity = sql`investor_position AS p
  JOIN investor_security AS s ON s.graph_id = p.graph_id AND s.id = p.security_id`;

/** The positions of a graph, which only writes of their portfolio change (investor 5). */
export class StoredPositions {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /**
   * Adds active positions to a portfolio, with ids in their order. Returns those that were written: a position whose
   * security already has an active one is left out (I-3).
   */
  async add(
    tx: Transaction,
    { portfolioId, positions }: { readonly portfolioId: string; readonly positions: readonly PositionFields[] },
    by: Actor,
  ): Promise<readonly Pick<PositionRow, 'id' | 'security_id'>[]> {
    if (positions.length === 0) return [];
    const rows = positions.map((position) => ({ id: this.#ids.make('pos'), ...position }));
    return tx.query(sql<Pick<PositionRow, 'id' | 'security_id'>>`
      INSERT INTO investor_position (graph_id, id, portfolio_id, security_id, quantity, quantity_type, cost_basis, currency,
        current_value, valuation_date, valuation_source, acquisition_date, status, notes, created_by, created_at, updated_at)
      SELECT ${tx.graphId}, r.id, ${portfolioId}, r.security_id, r.quantity, r.quantity_type, r.cost_basis, r.currency,
        r.current_value, r.valuation_date, r.valuation_source, r.acquisition_date, 'active', r.notes, ${by.userId},
        ${by.now}::timestamptz, ${by.now}::timestamptz
      FROM ${recordset(rows)} ORDER BY r.id
      ON CONFLICT (graph_id, portfolio_id, security_id) WHERE status = 'active' DO NOTHING RETURNING id, security_id`);
  }

  /** Writes new fields of positions that the caller has locked. */
  async update(
    tx: Transaction,
    positions: readonly (PositionFields & Pick<PositionRow, 'id'>)[],
    now: Date,
  ): Promise<void> {
    if (positions.length === 0) return;
    await tx.query(sql`
      UPDATE investor_position AS p SET quantity = r.quantity, quantity_type = r.quantity_type, cost_basis = r.cost_basis,
        current_value = r.current_value, valuation_date = r.valuation_date, valuation_source = r.valuation_source,
        acquisition_date = r.acquisition_date, notes = r.notes, version = p.version + 1, updated_at = ${now}
      FROM ${recordset(positions)} WHERE p.graph_id = ${tx.graphId} AND p.id = r.id`);
  }

  /** Disposes of positions that the caller has locked, as of a day; a reason is stored with its position (P-16). */
  async dispose(
    tx: Transaction,
    { disposals, day }: { readonly disposals: readonly Disposed[]; readonly day: string },
    now: Date,
  ): Promise<void> {
    if (disposals.length === 0) return;
    await tx.query(sql`
      UPDATE investor_position AS p SET status = 'disposed', disposition_date = ${day}::date,
        metadata = CASE WHEN r.reason IS NULL THEN p.metadata
          ELSE p.metadata || jsonb_build_object('disposition_reason', r.reason) END,
        version = p.version + 1, updated_at = ${now}
      FROM jsonb_to_recordset(${JSON.stringify(disposals)}::text::jsonb) AS r(id text, reason text)
      WHERE p.graph_id = ${tx.graphId} AND p.id = r.id`);
  }

  /** The positions with these ids, locked until the transaction ends; unknown ids have none. */
  async lock(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, PositionRow>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query(sql<PositionRow>`
      SELECT ${columns} FROM investor_position AS p WHERE p.graph_id = ${tx.graphId} AND p.id = ANY (${textList(ids)})
      ORDER BY p.id FOR NO KEY UPDATE`);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The active positions of a portfolio, oldest first (R-10). */
  async active(tx: Transaction, portfolioId: string): Promise<readonly HeldPosition[]> {
    return tx.query(sql<HeldPosition>`
      SELECT ${columns}, ${ofSecurity} FROM ${withSecurity}
      WHERE p.graph_id = ${tx.graphId} AND p.portfolio_id = ${portfolioId} AND p.status = 'active'
      ORDER BY p.created_at, p.id`);
  }

  /**
   * The sums of the active positions of a portfolio by issuer and currency, exact, with the currency of its totals
   * (R-20, R-23). Undefined if the graph does not have the portfolio.
   */
  async sumsByIssuer(
    tx: Transaction,
    portfolioId: string,
  ): Promise<{ readonly baseCurrency: string; readonly sums: readonly IssuerSums[] } | undefined> {
    // A portfolio without positions has one row without sums. Sums of bigint are numeric; as text they keep all digits.
    const rows = await tx.query(sql<SumRow>`
      SELECT f.base_currency, h.issuer_id, h.currency, coalesce(h.count, 0) AS count, h.cost_basis, h.current_value
      FROM investor_portfolio AS f LEFT JOIN (
        SELECT s.entity_id AS issuer_id, p.currency, count(*)::int AS count, sum(p.cost_basis)::text AS cost_basis,
          sum(p.current_value)::text AS current_value
        FROM ${withSecurity}
        WHERE p.graph_id = ${tx.graphId} AND p.portfolio_id = ${portfolioId} AND p.status = 'active'
        GROUP BY s.entity_id, p.currency) AS h ON true
      WHERE f.graph_id = ${tx.graphId} AND f.id = ${portfolioId} ORDER BY h.issuer_id, h.currency`);
    const [first] = rows;
    if (first === undefined) return undefined;
    return { baseCurrency: first.base_currency, sums: rows.flatMap((row) => sumsOf(row) ?? []) };
  }

  /**
   * The active positions of a portfolio by issuer, each by name of the security in code-point order, then id (R-22). A
   * list for each field takes half of the time of a row for each position to read.
   */
  async heldByIssuer(tx: Transaction, portfolioId: string): Promise<readonly HeldColumns[]> {
    const list = (column: RawBuilder<unknown>) =>
      sql`json_agg(${column} ORDER BY s.name COLLATE "C", s.id COLLATE "C")`;
    return tx.query(sql<HeldColumns>`
      SELECT s.entity_id AS issuer_id, ${list(sql`p.security_id`)} AS security_id, ${list(sql`s.name`)} AS security_name,
        ${list(sql`s.security_type`)} AS security_type, ${list(sql`p.quantity`)} AS quantity,
        ${list(sql`p.quantity_type`)} AS quantity_type, ${list(sql`p.cost_basis`)} AS cost_basis,
        ${list(sql`p.current_value`)} AS current_value
      FROM ${withSecurity}
      WHERE p.graph_id = ${tx.graphId} AND p.portfolio_id = ${portfolioId} AND p.status = 'active'
      GROUP BY s.entity_id`);
  }

  async countActive(tx: Transaction, portfolioId: string): Promise<number> {
    return this.count(tx, { portfolioId, status: 'active' });
  }

  /** Removes all positions of a portfolio and returns their number (P-30). */
  async removeAll(tx: Transaction, portfolioId: string): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      WITH removed AS (
        DELETE FROM investor_position WHERE graph_id = ${tx.graphId} AND portfolio_id = ${portfolioId} RETURNING 1)
      SELECT count(*)::int AS count FROM removed`);
    return row?.count ?? 0;
  }

  /**
   * Archives up to `limit` positions that were disposed of before a day, and returns their number (P-33). Those that
   * another transaction is changing are left for the next call.
   */
  async archive(
    tx: Transaction,
    { before, limit }: { readonly before: string; readonly limit: number },
    now: Date,
  ): Promise<number> {
    const rows = await tx.query(sql<Pick<InvestorPosition, 'id'>>`
      UPDATE investor_position SET status = 'archived', version = version + 1, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ANY (ARRAY(
        SELECT id FROM investor_position
        WHERE graph_id = ${tx.graphId} AND status = 'disposed' AND disposition_date < ${before}::date
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING id`);
    return rows.length;
  }

  async find(tx: Transaction, id: string): Promise<HeldPosition | undefined> {
    const [row] = await tx.query(sql<HeldPosition>`
      SELECT ${columns}, ${ofSecurity} FROM ${withSecurity} WHERE p.graph_id = ${tx.graphId} AND p.id = ${id}`);
    return row;
  }

  /** A page, newest first, with one row more than the page, which tells whether others follow (R-2). */
  async list(tx: Transaction, filter: PositionFilter, page: Page): Promise<readonly HeldPosition[]> {
    return tx.query(sql<HeldPosition>`
      SELECT ${columns}, ${ofSecurity} FROM ${withSecurity} WHERE ${matching(tx, filter)}
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}`);
  }

  async count(tx: Transaction, filter: PositionFilter): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM investor_position AS p WHERE ${matching(tx, filter)}`);
    return row?.count ?? 0;
  }
}

interface SumRow {
  readonly base_currency: InvestorPortfolio['base_currency'];
  readonly issuer_id: InvestorSecurity['entity_id'];
  readonly currency: InvestorPosition['currency'] | null;
  readonly count: number;
  readonly cost_basis: string | null;
  readonly current_value: string | null;
}

function sumsOf({ issuer_id: issuerId, currency, count, ...sums }: SumRow): IssuerSums | undefined {
  if (currency === null || sums.cost_basis === null) return undefined;
  const currentValue = sums.current_value === null ? null : BigInt(sums.current_value);
  return { issuerId, currency, count, costBasis: BigInt(sums.cost_basis), currentValue };
}

interface Disposed {
  readonly id: string;
  readonly reason: string | null;
}

/** Rows as one parameter, with quantities as exact decimal text. */
function recordset(rows: readonly PositionFields[]): RawBuilder<unknown> {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r(id text, security_id text, quantity numeric,
    quantity_type text, cost_basis bigint, currency text, current_value bigint, valuation_date date, valuation_source text,
    acquisition_date date, notes text)`;
}

/** Filters are exact and combined; a status that does not exist matches nothing (R-3). */
function matching(tx: Transaction, { portfolioId, securityId, status }: PositionFilter): RawBuilder<unknown> {
  return sql`p.graph_id = ${tx.graphId} AND p.created_at IS NOT NULL
    ${portfolioId === undefined ? sql`` : sql`AND p.portfolio_id = ${portfolioId}`}
    ${securityId === undefined ? sql`` : sql`AND p.security_id = ${securityId}`}
    ${status === undefined ? sql`` : sql`AND p.status = ${status}`}`;
}
