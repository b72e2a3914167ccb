import { reportingEntities } from '@pacioli/blocks';
import { type Contribution, contribute, sql, type Transaction } from '@pacioli/core';
import { chartListeners, type EntityLinks, entityLinks } from '@pacioli/taxonomy';
import type { LedgerEntityTaxonomy } from '../rows.gen.ts';
import { entities } from '../tokens.ts';

/** Tells the taxonomy what the graph's entity is linked to (taxonomy LB-17, T-38). */
class StoredEntityLinks implements Omit<EntityLinks, 'key'> {
  readonly reportingTaxonomyId = (tx: Transaction): Promise<string | undefined> => primaryOf(tx, 'reporting');

  readonly primaryChartId = (tx: Transaction): Promise<string | undefined> => primaryOf(tx, 'chart_of_accounts');

  readonly unlink = async (
    tx: Transaction,
    taxonomyIds: readonly string[],
  ): Promise<{ readonly wasPrimaryChart: boolean }> => {
    const rows = await tx.query(sql<Pick<LedgerEntityTaxonomy, 'basis' | 'is_primary'>>`
      DELETE FROM ledger_entity_taxonomy
      WHERE graph_id = ${tx.graphId} AND taxonomy_id = ANY (${[...taxonomyIds]}::text[]) RETURNING basis, is_primary`);
    return { wasPrimaryChart: rows.some((row) => row.basis === 'chart_of_accounts' && row.is_primary) };
  };
}

async function primaryOf(tx: Transaction, basis: string): Promise<string | undefined> {
  const [row] = await tx.query(sql<Pick<LedgerEntityTaxonomy, 'taxonomy_id'>>`
    SELECT l.taxonomy_id FROM ledger_entity AS e
    JOIN ledger_entity_taxonomy AS l ON l.graph_id = e.graph_id AND l.entity_id = e.id
    WHERE e.graph_id = ${tx.graphId} AND e.is_parent AND e.source <> 'linked' AND l.basis = ${basis} AND l.is_primary
    ORDER BY e.created_at, e.id LIMIT 1`);
  return row?.taxonomy_id;
}

/** The company of the books, for reports and for the taxonomy; it is linked to each new chart. */
export const partyContributions: readonly Contribution[] = [
  contribute(reportingEntities, 'ledger', {
    services: { entities },
    create: (use) => ({
      defaultId: async (tx) => (await use.entities.primary(tx))?.id,
      has: (tx, entityId) => use.entities.has(tx, entityId),
    }),
  }),
  contribute(chartListeners, 'ledger', {
    services: { entities },
    create: (use) => ({ created: ({ tx, taxonomyId, now }) => use.entities.linkChart(tx, taxonomyId, now) }),
  }),
  contribute(entityLinks, 'ledger', { create: () => new StoredEntityLinks() }),
];
