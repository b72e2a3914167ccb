import { type CollectionEntry, createCollection } from '../container/token.ts';
import type { GraphRecord } from '../services/kernel-tokens.ts';

/** A graph that is out of reach for its users and whose data is being removed. */
export interface RemovedGraph extends GraphRecord {
  readonly removedAt: Date;
}

/**
 * What a plugin does when a graph is removed (graphs G-54). The kernel removes the rows of all plugins afterwards. A
 * step runs again after a failure or a crash, so it must be repeatable.
 */
export interface GraphRemovalStep extends CollectionEntry {
  /**
   * Keeps what outlives the graph, such as a final backup; no step removes anything before all have done so. A second
   * failure is logged and does not stop the removal.
   */
  preserve?(graph: RemovedGraph, signal: AbortSignal): Promise<void>;
  /** Removes what the plugin has outside of the rows of the graph, such as files and databases. */
  remove?(graph: RemovedGraph, signal: AbortSignal): Promise<void>;
}

export const graphRemovalSteps = createCollection<GraphRemovalStep>('kernel.graph-removal-steps');
