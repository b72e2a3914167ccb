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
import type { InvestorSecurity } from '../rows.gen.ts';
import { type Actor, asJson } from '../values/index.ts';

/** The fields of a security that a caller sets, and what its issuer was found by. */
export interface SecurityFields
  extends Pick<
    InvestorSecurity,
    | 'name'
    | 'security_type'
    | 'security_subtype'
    | 'entity_id'
    | 'issuer_origin'
    | 'source_graph_id'
    | 'is_active'
    | 'authorized_shares'
    | 'outstanding_shares'
  > {
  readonly terms: Readonly<Record<string, unknown>>;
}

export interface SecurityFilter {
  readonly entityId?: string | undefined;
  readonly securityType?: string | undefined;
  /** Undefined shows both (R-3). */
  readonly isActive?: boolean | undefined;
}

const columns = columnsOf<InvestorSecurity>()(
  'id',
  'name',
  'security_type',
  'security_subtype',
  'entity_id',
  'issuer_origin',
  'source_graph_id',
  'terms',
  'is_active',
  'authorized_shares',
  'outstanding_shares',
  'created_at',
  'updated_at',
);

export type SecurityRow = RowOf<typeof columns> & Pick<SecurityFields, 'terms'>;

type ActiveRow = Pick<InvestorSecurity, 'id' | 'is_active'>;

/** The securities of a graph. They are never deleted (S-23). */
export class StoredSecurities {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async create(tx: Transaction, security: SecurityFields, by: Actor): Promise<SecurityRow> {
    const [row] = await tx.query(sql<SecurityRow>`
      INSERT INTO investor_security (graph_id, id, name, security_type, security_subtype, entity_id, issuer_origin,
        source_graph_id, terms, is_active, authorized_shares, outstanding_shares, created_by, created_at, updated_at)
      VALUES (${tx.graphId}, ${this.#ids.make('sec')}, ${security.name}, ${security.security_type},
        ${security.security_subtype}, ${security.entity_id}, ${security.issuer_origin}, ${security.source_graph_id},
        ${asJson(security.terms)}, ${security.is_active}, ${security.authorized_shares}, ${security.outstanding_shares},
        ${by.userId}, ${by.now}, ${by.now})
      RETURNING ${columns}`);
    if (row === undefined) throw new Error('A security must be returned when it is written.');
    return row;
  }

  async find(tx: Transaction, id: string): Promise<SecurityRow | undefined> {
    return this.#one(tx, id, sql``);
  }

  /** The security, locked until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<SecurityRow | undefined> {
    return this.#one(tx, id, sql`FOR NO KEY UPDATE`);
  }

  async #one(tx: Transaction, id: string, lock: RawBuilder<unknown>): Promise<SecurityRow | undefined> {
    const [row] = await tx.query(
      sql<SecurityRow>`SELECT ${columns} FROM investor_security WHERE graph_id = ${tx.graphId} AND id = ${id} ${lock}`,
    );
    return row;
  }

  async update(tx: Transaction, id: string, security: SecurityFields, now: Date): Promise<SecurityRow> {
    const [row] = await tx.query(sql<SecurityRow>`
      UPDATE investor_security SET name = ${security.name}, security_type = ${security.security_type},
        security_subtype = ${security.security_subtype}, entity_id = ${security.entity_id},
        issuer_origin = ${security.issuer_origin}, source_graph_id = ${security.source_graph_id},
        terms = ${asJson(security.terms)}, is_active = ${security.is_active},
        authorized_shares = ${security.authorized_shares}, outstanding_shares = ${security.outstanding_shares},
        version = version + 1, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ${id} RETURNING ${columns}`);
    if (row === undefined) throw new Error('A locked security no longer exists.');
    return row;
  }

  /**
   * Finds which of the securities exist and are active, and keeps them so until the transaction ends (S-22). They are
   * locked in the order of their ids, so that two writes of positions cannot deadlock.
   */
  async activeStates(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query(sql<ActiveRow>`
      SELECT id, is_active FROM investor_security WHERE graph_id = ${tx.graphId} AND id = ANY (${textList(ids)})
      ORDER BY id FOR SHARE`);
    return new Map(rows.map((row) => [row.id, row.is_active]));
  }

  /**
   * Links the securities that wait for the entity of a source graph; an issuer that is set stays (H-15). They are locked
   * in the order of their ids, as in `activeStates`.
   */
  async linkIssuer(tx: Transaction, issuer: { readonly sourceGraphId: string; readonly entityId: string }, now: Date) {
    await tx.query(sql`
      UPDATE investor_security SET entity_id = ${issuer.entityId}, issuer_origin = 'source_graph',
        version = version + 1, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ANY (ARRAY(
        SELECT id FROM investor_security
        WHERE graph_id = ${tx.graphId} AND source_graph_id = ${issuer.sourceGraphId} AND entity_id IS NULL
        ORDER BY id FOR NO KEY UPDATE))`);
  }

  /** True if an active security names the source graph of its issuer (X-7). */
  async hasActiveOfSource(tx: Transaction, sourceGraphId: string): Promise<boolean> {
    const [row] = await tx.query(sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM investor_security
        WHERE graph_id = ${tx.graphId} AND source_graph_id = ${sourceGraphId} AND is_active) AS found`);
    return row?.found === true;
  }

  /** A page by name, then id, with one row more than the page, which tells whether others follow (R-2). */
  async list(tx: Transaction, filter: SecurityFilter, page: Page): Promise<readonly SecurityRow[]> {
    return tx.query(sql<SecurityRow>`
      SELECT ${columns} FROM investor_security WHERE ${matching(tx, filter)}
      ORDER BY name COLLATE "C", id LIMIT ${page.limit + 1} OFFSET ${page.offset}`);
  }

  async count(tx: Transaction, filter: SecurityFilter): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*)::int AS count FROM investor_security WHERE ${matching(tx, filter)}`);
    return row?.count ?? 0;
  }
}

/** Filters are exact and combined (R-3). All names are above '', which lets the index of names serve. */
function matching(tx: Transaction, { entityId, securityType, isActive }: SecurityFilter): RawBuilder<unknown> {
  return sql`graph_id = ${tx.graphId} AND name COLLATE "C" >= ''
    ${entityId === undefined ? sql`` : sql`AND entity_id = ${entityId}`}
    ${securityType === undefined ? sql`` : sql`AND security_type = ${securityType}`}
    ${isActive === undefined ? sql`` : sql`AND is_active = ${isActive}`}`;
}
