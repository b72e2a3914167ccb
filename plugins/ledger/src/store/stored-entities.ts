import { type Ids, type InitialEntity, sql, type Transaction } from '@pacioli/core';
import type { Entities, EntityRow } from '../tokens.ts';
import { graphOf } from './graph-of.ts';

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
      VALUES (${graphOf(tx)}, ${this.#ids.make('ent')}, ${given?.name ?? name}, ${given?.uri ?? null}, ${given?.cik ?? null},
        ${given?.ticker ?? null}, ${given?.sic ?? null}, ${given?.sic_description ?? null}, ${given?.category ?? null},
        ${given?.state_of_incorporation ?? null}, ${given?.fiscal_year_end ?? null}, ${given?.ein ?? null}, ${given?.entity_type ?? null},
        ${given?.reporting_style_id ?? null}, true, ${now}, ${now})`);
  }

  async primary(tx: Transaction): Promise<EntityRow | undefined> {
    const [row] = await tx.query(sql<EntityRow & { created_at: Date; updated_at: Date }>`
      SELECT id, name, legal_name, uri, cik, ticker, exchange, sic, sic_description, category, state_of_incorporation, fiscal_year_end,
        tax_id, lei, industry, entity_type, reporting_style_id, phone, website, status, is_parent, parent_entity_id, source, source_id,
        source_graph_id, connection_id, address_line1, address_city, address_state, address_postal_code, address_country,
        created_at, updated_at
      FROM ledger_entity WHERE graph_id = ${graphOf(tx)} AND is_parent AND source <> 'linked' ORDER BY created_at, id LIMIT 1`);
    if (row === undefined) return undefined;
    return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
  }

  /** Links the chart as the primary one of the company, before whichever was it (taxonomy T-28); none, no link. */
  async linkChart(tx: Transaction, taxonomyId: string, now: Date): Promise<void> {
    const graphId = graphOf(tx);
    const [entity] = await tx.query(sql<{ id: string }>`
      SELECT id FROM ledger_entity WHERE graph_id = ${graphId} AND is_parent AND source <> 'linked'
      ORDER BY created_at, id LIMIT 1`);
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
