import { createToken, type Graph } from '@pacioli/core';
import type { CatalogTable, GenerationRef, RowStream, RunOptions } from '@pacioli/core/ports';
import type { BuildRequest, BuildResult } from './generations/build.ts';

/** Reads of the active analytical graph through the gate. Errors are ServiceErrors of graphs 9.5. */
export interface AnalyticalGraph {
  /** Runs a caller’s read statement through the gate. */
  query(
    graph: Pick<Graph, 'id' | 'extensions'>,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: RunOptions,
  ): Promise<RowStream>;
  /** The catalog of the active graph, including empty tables. */
  catalog(graph: Pick<Graph, 'id' | 'extensions'>): Promise<readonly CatalogTable[]>;
  /** The generation that serves reads; creates an empty first one if there is none. */
  active(graph: Pick<Graph, 'id' | 'extensions'>): Promise<GenerationRef>;
}

/** Builds the next generation next to the active one and swaps them. */
export interface GraphBuilder {
  build(request: BuildRequest): Promise<BuildResult>;
}

export const analyticalGraph = createToken<AnalyticalGraph>('graph.analytical-graph');
export const graphBuilder = createToken<GraphBuilder>('graph.builder');
