import { createToken, type Graph } from '@pacioli/core';
import type { CatalogueTable, GenerationRef, RowStream, RunOptions } from '@pacioli/core/ports';
import type { BuildRequest, BuildResult } from './domain/build.ts';
import type { StoredBytes } from './domain/storage-status.ts';

/** Reads of the analytical graph that is active now, after the gate. Errors are ServiceErrors of graphs 9.5. */
export interface AnalyticalGraph {
  /** Runs one reading statement of a caller; the statement goes through the gate. */
  query(
    graph: Pick<Graph, 'id' | 'extensions'>,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: RunOptions,
  ): Promise<RowStream>;
  /** What the active graph holds, empty tables included. */
  catalogue(graph: Pick<Graph, 'id' | 'extensions'>): Promise<readonly CatalogueTable[]>;
  /** Where reads go now; an empty first generation is made when there is none. */
  active(graph: Pick<Graph, 'id' | 'extensions'>): Promise<GenerationRef>;
}

/** Builds the next generation beside the active one and swaps. */
export interface GraphBuilder {
  build(request: BuildRequest): Promise<BuildResult>;
}

/** Measures what a graph takes on disk. */
export interface GraphStorage {
  measure(graphId: string): Promise<StoredBytes>;
}

export const graphStorage = createToken<GraphStorage>('graph.storage');
export const analyticalGraph = createToken<AnalyticalGraph>('graph.analytical-graph');
export const graphBuilder = createToken<GraphBuilder>('graph.builder');
