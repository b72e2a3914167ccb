import { type Graph, notFound } from '@pacioli/core';

/** Returns the graph of a data plane route. Throws 404 for the library, which has no data plane (graphs G-4). */
export function graphOf({ graph }: { readonly graph: Graph | undefined }): Graph {
  if (graph === undefined) throw new Error('A route that requires a graph role always has a graph.');
  if (graph.type === 'library') throw notFound('Graph not found.');
  return graph;
}
