import { type Graph, notFound } from '@pacioli/core';

/** The graph of a route of the data plane, which the library does not have: 404 (graphs G-4). */
export function graphOf({ graph }: { readonly graph: Graph | undefined }): Graph {
  if (graph === undefined) throw new Error('A route that requires a graph role always has a graph.');
  if (graph.type === 'library') throw notFound('Graph not found.');
  return graph;
}
