import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Graph } from '../define/context.ts';
import type { Transaction } from '../store/store.ts';

/** The rows of a statement, as the route `query/cypher` shows them. */
export interface GraphRows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** True if the statement has more rows than were requested. */
  readonly isTruncated: boolean;
}

export interface RowLimits {
  /** At most 10,000; 1,000 by default. */
  readonly maxRows?: number;
  /** At most 60,000; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The state of the analytical graph against the records that it is built from. */
export interface Freshness {
  /** The end of the last build; null before the first one. */
  readonly materializedAt: Date | null;
  /** The first write since then; null if the graph is fresh. */
  readonly staleSince: Date | null;
  readonly staleReason: string | null;
}

/** The facts of a graph by which its analytical graph is found. */
export type GraphFacts = Pick<Graph, 'id' | 'extensions'> & Partial<Pick<Graph, 'parentId' | 'type' | 'tier'>>;

/**
 * Reads of the analytical graph (graphs Q-55). At most one contribution, from the plugin that builds graphs; a plugin
 * that uses the collection also starts in a deployment without one, and refuses then what needs a graph.
 */
export interface GraphReads extends CollectionEntry {
  /**
   * Runs a read statement through the gate and returns its rows, up to a limit. The transaction of the caller names the
   * generation to read; a graph that was never built has no rows.
   */
  rows(
    tx: Transaction,
    graph: GraphFacts,
    statement: { readonly text: string; readonly parameters?: Readonly<Record<string, unknown>> },
    limits?: RowLimits,
  ): Promise<GraphRows>;
  freshness(tx: Transaction, graph: Pick<Graph, 'id'>): Promise<Freshness>;
}

export const graphReads: Collection<GraphReads> = createCollection('kernel.graph-reads');
