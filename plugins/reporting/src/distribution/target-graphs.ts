import { type GraphRecord, type Graphs, invalidInput, notFound, type OrgDirectory, type Store } from '@pacioli/core';
import { deliveryErrors } from './refusals.ts';

interface GraphServices {
  readonly store: Store;
  readonly graphs: Graphs;
  readonly orgs: OrgDirectory;
}

/** The domains that can receive reports (investor 7.2). */
const receivingDomains = ['ledger', 'investor'] as const;

/** The domain of graphs that may read and block shared reports without having a ledger (investor B-7). */
export const investorDomain = 'investor';

export function canReceive(graph: GraphRecord): boolean {
  return graph.parentId === undefined && receivingDomains.some((domain) => graph.extensions.includes(domain));
}

function isUsable(graph: GraphRecord): boolean {
  return graph.status === 'active' || graph.status === 'suspended';
}

/** The usable graphs among the ids, by id. */
export async function findGraphs(
  { store, graphs }: Pick<GraphServices, 'store' | 'graphs'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GraphRecord>> {
  return store.transaction(
    'kernel',
    async (tx) => {
      const found = new Map<string, GraphRecord>();
      for (const id of new Set(ids)) {
        const graph = await graphs.find(tx, id);
        if (graph !== undefined && isUsable(graph)) found.set(id, graph);
      }
      return found;
    },
    { readOnly: true },
  );
}

/** Requires that every target exists, can receive reports and is another graph (investor L-1). */
export async function requireTargets(
  use: Pick<GraphServices, 'store' | 'graphs'>,
  graphId: string,
  targetIds: readonly string[],
): Promise<void> {
  if (targetIds.includes(graphId)) throw invalidInput('A graph cannot be a member of its own publish list.');
  const found = await findGraphs(use, targetIds);
  const unknown = [...new Set(targetIds)].filter((id) => !found.has(id)).sort();
  if (unknown.length > 0) throw notFound(`Graph(s) not found: ${unknown.join(', ')}`);
  if ([...found.values()].some((graph) => !canReceive(graph))) throw invalidInput(deliveryErrors.noExtension);
}

/** The names of a graph and of its organization. */
export interface GraphNames {
  readonly graphName: string;
  readonly orgName: string | null;
}

/** The names of those graphs that belong to the organization or are in `known`, by id (investor L-3). */
export async function namesOf(
  { store, graphs, orgs }: GraphServices,
  ids: readonly string[],
  { orgId, known }: { readonly orgId: string; readonly known: ReadonlySet<string> },
): Promise<ReadonlyMap<string, GraphNames>> {
  return store.transaction(
    'kernel',
    async (tx) => {
      const names = new Map<string, GraphNames>();
      for (const id of new Set(ids)) {
        const graph = await graphs.find(tx, id);
        if (graph === undefined || !isUsable(graph) || (graph.orgId !== orgId && !known.has(id))) continue;
        names.set(id, { graphName: graph.name, orgName: (await orgs.nameOf(tx, graph.orgId)) ?? null });
      }
      return names;
    },
    { readOnly: true },
  );
}
