import { type AnalyticalSchema, createToken, type GraphFacts, type GraphReads } from '@pacioli/core';
import type { CatalogTable, GenerationRef, RowStream, RunOptions } from '@pacioli/core/ports';
import type { BuildRequest, BuildResult } from './generations/build.ts';

/** The limit of the wait of a statement for its turn, and the reports of its place in the queue. */
export interface QueuedTurn {
  readonly maxWaitMs: number;
  /** Called with its place in the line, from 1, when it begins to wait and whenever the place has changed. */
  readonly waiting?: (position: number) => void;
  /** The error when the time is over; 429 by default. */
  readonly overdue?: () => Error;
}

/** Reads of the active analytical graph through the gate. Errors are ServiceErrors of graphs 9.5. */
export interface AnalyticalGraph extends Omit<GraphReads, 'key'> {
  /**
   * Runs a caller’s statement through the gate. A subgraph accepts a write only with `writes: 'allowed'`; without it, and
   * on other graphs, writes are refused (graphs Q-11, SG-10).
   */
  query(
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: RunOptions & {
      readonly writes?: 'allowed' | { readonly refusal: string };
      /** Replaces the usual wait for a turn, which lasts as long as the statement's own time limit, at most 30 seconds. */
      readonly turn?: QueuedTurn;
    },
  ): Promise<RowStream>;
  /** Throws what `query` would throw before it runs: what the gate refuses, and what cannot be parsed or bound. */
  check(
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: Pick<RunOptions, 'maxRows' | 'signal'> & { readonly writes?: 'allowed' | { readonly refusal: string } },
  ): Promise<void>;
  /**
   * Creates the tables of the schema that the database of a subgraph lacks (graphs SG-14). Errors are those of the graph
   * store.
   */
  addTables(graph: GraphFacts, schema: AnalyticalSchema): Promise<void>;
  /** The catalog of the active graph, including empty tables. */
  catalog(graph: GraphFacts): Promise<readonly CatalogTable[]>;
  /** The generation that serves reads; creates an empty first one if there is none. */
  active(graph: GraphFacts): Promise<GenerationRef>;
}

/** Builds the next generation next to the active one and swaps them. */
export interface GraphBuilder {
  build(request: BuildRequest): Promise<BuildResult>;
}

export const analyticalGraph = createToken<AnalyticalGraph>('graph.analytical-graph');
export const graphBuilder = createToken<GraphBuilder>('graph.builder');
