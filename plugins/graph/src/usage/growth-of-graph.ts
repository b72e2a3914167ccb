import { type Graph, type GraphSchemas, type Graphs, type Store, type Subgraphs, tierNumbers } from '@pacioli/core';
import type { GraphStore, StagedTableState, StagingStore } from '@pacioli/core/ports';
import { stagedStates, stagedTables } from '../files/index.ts';
import { measureGraphStorage } from './graph-storage.ts';
import { checkGrowth, type LimitCheck } from './growth-limits.ts';

interface GrowthServices {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly staging: StagingStore;
  readonly schemas: GraphSchemas;
  readonly subgraphs: Subgraphs;
  readonly graphs: Graphs;
}

/** The rows and the storage of a graph that is to be built, compared with the limits of its tier (graphs M-4). */
export async function growthOf(
  services: GrowthServices,
  graph: Graph,
  source: 'extensions' | 'staged',
): Promise<{ readonly check: LimitCheck; readonly tables: readonly StagedTableState[] }> {
  const storage = await measureGraphStorage(services, graph.id);
  const tables = source === 'staged' ? await stagedRows(services, graph) : [];
  const rows = tables.map((table) => ({ table: table.name, rows: table.rows }));
  return { check: checkGrowth({ tier: tierNumbers(graph.tier), storage, rows }), tables };
}

async function stagedRows(services: GrowthServices, graph: Graph) {
  const { store, schemas } = services;
  const schema = await store.transaction({ graphId: graph.id }, (tx) => schemas.of(tx, graph), { readOnly: true });
  return stagedStates(services, graph.id, stagedTables(schema));
}
