import { type GraphRecord, type Graphs, notFound, ServiceError, type Transaction } from '@pacioli/core';

/** Finds a graph whose database can be replaced. Throws if there is none, or it was deleted or is being created. */
export async function replaceableGraph(tx: Transaction, graphs: Graphs, graphId: string): Promise<GraphRecord> {
  const graph = await graphs.find(tx, graphId);
  if (graph === undefined)
    throw notFound(`There is no graph '${graphId}'. Create a graph or subgraph first, then repeat the command.`);
  if (graph.status === 'active' || graph.status === 'suspended') return graph;
  const isNew = graph.status === 'creating';
  const message = isNew
    ? `The graph '${graphId}' is being created. Try it again when it is active.`
    : `The graph '${graphId}' was deleted. Create a new graph with the same schema, and name that.`;
  throw new ServiceError('refused', 'GRAPH_NOT_ACTIVE', message);
}
