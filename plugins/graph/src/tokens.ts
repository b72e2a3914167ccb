import { createToken, type Graph, type Transaction } from '@pacioli/core';
import type { CatalogTable, GenerationRef, RowStream, RunOptions } from '@pacioli/core/ports';
import type { BuildRequest, BuildResult } from './generations/build.ts';

/** The rows of a statement, as the route `query/cypher` shows them. */
export interface GraphRows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** True if the statement has more rows than were requested. */
  readonly isTruncated: boolean;
}

/** What the analytical graph of a graph depends on. */
export type GraphFacts = Pick<Graph, 'id' | 'extensions'> & Partial<Pick<Graph, 'parentId' | 'type' | 'tier'>>;

export interface RowLimits {
  /** At most 10,000; 1,000 by default. */
  readonly maxRows?: number;
  /** At most 60,000; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** How current the analytical graph is. */
export interface Freshness {
  /** The end of the last build; null before the first one. */
  readonly materializedAt: Date | null;
  /** The first write since then; null if the graph is fresh. */
  readonly staleSince: Date | null;
  readonly staleReason: string | null;
}

/** Reads of the active analytical graph through the gate. Errors are ServiceErrors of graphs 9.5. */
export interface AnalyticalGraph {
  /**
   * Runs a caller’s statement through the gate. A subgraph accepts a write only with `writes: 'allowed'`; without it, and
   * on other graphs, writes are refused (graphs Q-11, SG-10).
   */
  query(
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: RunOptions & { readonly writes?: 'allowed' | { readonly refusal: string } },
  ): Promise<RowStream>;
  /** Throws what `query` would throw before it runs: what the gate refuses, and what cannot be parsed or bound. */
  check(
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters: Readonly<Record<string, unknown>> },
    options: Pick<RunOptions, 'maxRows' | 'signal'> & { readonly writes?: 'allowed' | { readonly refusal: string } },
  ): Promise<void>;
  /**
   * Runs a read statement through the gate and returns its rows, up to a limit (graphs Q-55). The transaction of the
   * caller names the generation to read; a graph that was never built has no rows.
   */
  rows(
    tx: Transaction,
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters?: Readonly<Record<string, unknown>> },
    limits?: RowLimits,
  ): Promise<GraphRows>;
  freshness(tx: Transaction, graph: Pick<Graph, 'id'>): Promise<Freshness>;
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
