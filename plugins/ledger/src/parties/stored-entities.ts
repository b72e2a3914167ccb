import {
  columnsOf,
  type Ids,
  type InitialEntity,
  type RawBuilder,
  type RowOf,
  sql,
  type Transaction,
  textList,
} from '@pacioli/core';
import type { LedgerEntity, LedgerEntityTaxonomy } from '../rows.gen.ts';

/** The company whose books a graph keeps. */
export type EntityRow = Omit<LedgerEntity, 'graph_id' | 'functional_currency' | 'created_at' | 'updated_at'> & {
  readonly created_at: string;
  readonly updated_at: string;
};

/** An entity as plugins show it beside their own rows. */
export interface EntitySummary {
  readonly id: string;
  readonly name: string;
  /** The graph whose reports created the entity; null for an entity of this graph. */
  readonly sourceGraphId: string | null;
  readonly cik: string | null;
  readonly ticker: string | null;
}

/**
 * Selects `entity_id` and `source_graph_id` of all entities; for the plugins whose analytical types refer to entities.
 */
export function entitySources(tx: Transaction): RawBuilder<unknown> {
  return sql`SELECT id AS entity_id, source_graph_id FROM ledger_entity WHERE graph_id = ${tx.graphId}`;
}

/** An entity by what a file calls it. */
export type NamedEntity = Pick<LedgerEntity, 'id' | 'name' | 'cik'>;

/** The companies of a graph, of which the primary one is the reporting entity. */
export interface Entities {
  /** The primary entity (ledger L-30). */
  primary(tx: Transaction): Promise<EntityRow | undefined>;
  /** True when the graph has an entity with this id, primary or not. */
  has(tx: Transaction, entityId: string): Promise<boolean>;
  /** The names, source graphs, CIKs and tickers of entities by id; unknown ids have no entry. */
  summaries(tx: Transaction, entityIds: readonly string[]): Promise<ReadonlyMap<string, EntitySummary>>;
  /** The entities with these exact names or CIKs of ten digits, by id; at most 10,000. */
  called(
    tx: Transaction,
    by: { readonly names: readonly string[]; readonly ciks: readonly string[] },
  ): Promise<readonly NamedEntity[]>;
  /** Links the primary entity to a chart, once (ledger L-28). */
  linkChart(tx: Transaction, taxonomyId: string, now: Date): Promise<void>;
}

/** The use of a taxonomy by a company. */
export type TaxonomyLink = Pick<
  LedgerEntityTaxonomy,
  'entity_id' | 'taxonomy_id' | 'basis' | 'is_primary' | 'adoption_context'
>;

const maxEntities = 1_000;
const maxCalled = 10_000;

const columns = columnsOf<LedgerEntity>()(
  'id',
  'name',
  'legal_name',
  'uri',
  'cik',
  'ticker',
  'exchange',
  'sic',
  'sic_description',
  'category',
  'state_of_incorporation',
  'fiscal_year_end',
  'tax_id',
  'lei',
  'industry',
  'entity_type',
  'reporting_style_id',
  'phone',
  'website',
  'status',
  'is_parent',
  'parent_entity_id',
  'source',
  'source_id',
  'source_graph_id',
  'connection_id',
  'address_line1',
  'address_city',
  'address_state',
  'address_postal_code',
  'address_country',
  'created_at',
  'updated_at',
);

const summaryColumns = columnsOf<LedgerEntity>()({
  id: 'id',
  name: 'name',
  sourceGraphId: 'source_graph_id',
  cik: 'cik',
  ticker: 'ticker',
});

type StoredRow = RowOf<typeof columns>;

/** Selects the primary company: the oldest parent that is not linked from elsewhere (ledger L-30). */
function isPrimary(tx: Transaction): RawBuilder<unknown> {
  return sql`graph_id = ${tx.graphId} AND id = (
    SELECT id FROM ledger_entity WHERE graph_id = ${tx.graphId} AND is_parent AND source <> 'linked' ORDER BY created_at, id LIMIT 1)`;
}

function entityOf(row: StoredRow): EntityRow {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
}

/** The companies of a graph. */
export class StoredEntities implements Entities {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Writes the company that a new graph was created for (ledger L-30). */
  async create(tx: Transaction, name: string, given: InitialEntity | null, now: Date): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_entity (graph_id, id, name, uri, cik, ticker, sic, sic_description, category, state_of_incorporation,
        fiscal_year_end, tax_id, entity_type, reporting_style_id, is_parent, created_at, updated_at)
      VALUES (${tx.graphId}, ${this.#ids.make('ent')}, ${given?.name ?? name}, ${given?.uri ?? null}, ${given?.cik ?? null},
        ${given?.ticker ?? null}, ${given?.sic ?? null}, ${given?.sic_description ?? null}, ${given?.category ?? null},
        ${given?.state_of_incorporation ?? null}, ${given?.fiscal_year_end ?? null}, ${given?.ein ?? null}, ${given?.entity_type ?? null},
        ${given?.reporting_style_id ?? null}, true, ${now}, ${now})`);
  }

  async primary(tx: Transaction): Promise<EntityRow | undefined> {
    const [row] = await tx.query(sql<StoredRow>`SELECT ${columns} FROM ledger_entity WHERE ${isPrimary(tx)}`);
    return row === undefined ? undefined : entityOf(row);
  }

  async has(tx: Transaction, entityId: string): Promise<boolean> {
    const [row] = await tx.query(sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM ledger_entity WHERE graph_id = ${tx.graphId} AND id = ${entityId}) AS found`);
    return row?.found === true;
  }

  async summaries(tx: Transaction, entityIds: readonly string[]): Promise<ReadonlyMap<string, EntitySummary>> {
    if (entityIds.length === 0) return new Map();
    const rows = await tx.query(sql<RowOf<typeof summaryColumns>>`
      SELECT ${summaryColumns} FROM ledger_entity WHERE graph_id = ${tx.graphId} AND id = ANY (${textList(entityIds)})`);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async called(
    tx: Transaction,
    { names, ciks }: { readonly names: readonly string[]; readonly ciks: readonly string[] },
  ): Promise<readonly NamedEntity[]> {
    if (names.length === 0 && ciks.length === 0) return [];
    return tx.query(sql<NamedEntity>`
      SELECT id, name, lpad(cik, 10, '0') AS cik FROM ledger_entity
      WHERE graph_id = ${tx.graphId} AND (name = ANY (${textList(names)}) OR lpad(cik, 10, '0') = ANY (${textList(ciks)}))
      ORDER BY id LIMIT ${maxCalled}`);
  }

  /** The primary first, then by name; at most 1,000. */
  async list(tx: Transaction, source: string | undefined): Promise<EntityRow[]> {
    const ofSource = source === undefined ? sql`` : sql`AND source = ${source}`;
    const rows = await tx.query(sql<StoredRow>`
      SELECT ${columns} FROM ledger_entity WHERE graph_id = ${tx.graphId} ${ofSource}
      ORDER BY (is_parent AND source <> 'linked') DESC, lower(name), id LIMIT ${maxEntities}`);
    return rows.map(entityOf);
  }

  /** Changes columns of the primary entity by name; undefined when there is none. */
  async update(tx: Transaction, fields: Readonly<Record<string, unknown>>, now: Date): Promise<EntityRow | undefined> {
    const assignments = Object.entries(fields).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    const [row] = await tx.query(sql<StoredRow>`
      UPDATE ledger_entity SET ${sql.join(assignments)}, updated_at = ${now} WHERE ${isPrimary(tx)} RETURNING ${columns}`);
    return row === undefined ? undefined : entityOf(row);
  }

  /** Locks a company, or the primary one, whose reporting style the caller changes; undefined when there is none. */
  async lockStyle(
    tx: Transaction,
    entityId: string | null,
  ): Promise<Pick<LedgerEntity, 'id' | 'reporting_style_id'> | undefined> {
    const isChosen = entityId === null ? isPrimary(tx) : sql`graph_id = ${tx.graphId} AND id = ${entityId}`;
    const [row] = await tx.query(sql<Pick<LedgerEntity, 'id' | 'reporting_style_id'>>`
      SELECT id, reporting_style_id FROM ledger_entity WHERE ${isChosen} FOR NO KEY UPDATE`);
    return row;
  }

  async setStyle(tx: Transaction, entityId: string, styleId: string, now: Date): Promise<void> {
    await tx.query(sql`UPDATE ledger_entity SET reporting_style_id = ${styleId}, updated_at = ${now}
      WHERE graph_id = ${tx.graphId} AND id = ${entityId}`);
  }

  /**
   * Sets the functional currency unless a posted entry has decided it (ledger L-5a). Returns the one in effect; the
   * update and the posting of a first entry wait for each other.
   */
  async setFunctionalCurrency(tx: Transaction, currency: string): Promise<string> {
    const [row] = await tx.query(sql<{
      readonly functional_currency: NonNullable<LedgerEntity['functional_currency']>;
    }>`
      UPDATE ledger_entity SET functional_currency = coalesce(functional_currency, ${currency})
      WHERE ${isPrimary(tx)} RETURNING functional_currency`);
    if (row === undefined) throw new Error('A graph with a ledger must have an entity.');
    return row.functional_currency;
  }

  /** Locks the row of the entity, so that two callers cannot both set a primary link (ledger L-29). */
  async #lockPrimary(tx: Transaction): Promise<{ readonly id: string } | undefined> {
    const [entity] = await tx.query(sql<Pick<LedgerEntity, 'id'>>`
      SELECT id FROM ledger_entity WHERE ${isPrimary(tx)} FOR NO KEY UPDATE`);
    return entity;
  }

  /**
   * Links the primary entity to a taxonomy; an existing link stays as it is, or becomes the primary one of its basis
   * (ledger L-28, taxonomy T-43). Undefined without an entity.
   */
  async link(tx: Transaction, link: Omit<TaxonomyLink, 'entity_id'>, now: Date): Promise<TaxonomyLink | undefined> {
    const graphId = tx.graphId;
    const entity = await this.#lockPrimary(tx);
    if (entity === undefined) return undefined;
    const [known] = await tx.query(sql<TaxonomyLink>`
      SELECT entity_id, taxonomy_id, basis, is_primary, adoption_context FROM ledger_entity_taxonomy
      WHERE graph_id = ${graphId} AND entity_id = ${entity.id} AND taxonomy_id = ${link.taxonomy_id} AND basis = ${link.basis}`);
    if (known !== undefined && (known.is_primary || !link.is_primary)) return known;
    if (link.is_primary) {
      await tx.query(sql`
        UPDATE ledger_entity_taxonomy SET is_primary = false
        WHERE graph_id = ${graphId} AND entity_id = ${entity.id} AND basis = ${link.basis} AND is_primary`);
    }
    if (known !== undefined) {
      await tx.query(sql`
        UPDATE ledger_entity_taxonomy SET is_primary = true
        WHERE graph_id = ${graphId} AND entity_id = ${entity.id} AND taxonomy_id = ${link.taxonomy_id} AND basis = ${link.basis}`);
      return { ...known, is_primary: true };
    }
    await tx.query(sql`
      INSERT INTO ledger_entity_taxonomy (graph_id, entity_id, taxonomy_id, basis, is_primary, adoption_context, created_at)
      VALUES (${graphId}, ${entity.id}, ${link.taxonomy_id}, ${link.basis}, ${link.is_primary}, ${link.adoption_context}, ${now})`);
    return { entity_id: entity.id, ...link };
  }

  /**
   * Makes the chart the company's primary one, in place of the previous one (taxonomy T-28); no-op without a company.
   */
  async linkChart(tx: Transaction, taxonomyId: string, now: Date): Promise<void> {
    const graphId = tx.graphId;
    const entity = await this.#lockPrimary(tx);
    if (entity === undefined) return;
    await tx.query(sql`
      UPDATE ledger_entity_taxonomy SET is_primary = false
      WHERE graph_id = ${graphId} AND entity_id = ${entity.id} AND basis = 'chart_of_accounts' AND is_primary`);
    await tx.query(sql`
      INSERT INTO ledger_entity_taxonomy (graph_id, entity_id, taxonomy_id, basis, is_primary, created_at)
      VALUES (${graphId}, ${entity.id}, ${taxonomyId}, 'chart_of_accounts', true, ${now})
      ON CONFLICT (graph_id, entity_id, taxonomy_id, basis) DO UPDATE SET is_primary = true`);
  }
}
