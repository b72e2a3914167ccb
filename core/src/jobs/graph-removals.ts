import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Log } from '../define/context.ts';
import graphRemoved from '../events/graph-removed.ts';
import type { KernelGraphRemoval } from '../rows.gen.ts';
import type { EventPublisher } from '../services/events.ts';
import type { Clock, Graphs } from '../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { MigrationSet, Store, Transaction } from '../store/store.ts';
import type { GraphRemovalStep, RemovedGraph } from '../tenancy/graph-removal-step.ts';
import { cancelRunsOfGraph } from './operations.ts';

const removalColumns = columnsOf<KernelGraphRemoval>()('graph_id', 'requested_at', 'phase', 'failures');
type Removal = RowOf<typeof removalColumns>;

/** The migrations of the deployment, which know the tables of its plugins. */
export const deployedMigrations: Token<readonly MigrationSet[]> = createToken('kernel.deployed-migrations');

const maxRemovalsPerTurn = 10;
const firstRetryMs = 60_000;
const longestRetryMs = 3_600_000;
const maxErrorCharacters = 500;
/** A step that keeps something may fail this often before the removal goes on without it. */
const maxPreserveFailures = 2;

/**
 * Removes graphs with all their data (graphs G-54). A removal is a row that says what happens next, so it continues
 * after a crash; at any time one process of the deployment works on the removals.
 */
export class GraphRemovals {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #graphs: Graphs;
  readonly #events: EventPublisher;
  readonly #steps: readonly GraphRemovalStep[];
  readonly #sets: readonly MigrationSet[];

  constructor(use: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly graphs: Graphs;
    readonly events: EventPublisher;
    readonly steps: readonly GraphRemovalStep[];
    readonly sets: readonly MigrationSet[];
  }) {
    this.#store = use.store;
    this.#clock = use.clock;
    this.#log = use.log;
    this.#graphs = use.graphs;
    this.#events = use.events;
    this.#steps = use.steps;
    this.#sets = use.sets;
  }

  /**
   * Puts a graph out of reach at once and lets its data be removed in the background, with its subgraphs. Its open runs
   * are canceled. In a kernel transaction; a second request changes nothing.
   */
  async request(tx: Transaction, graphId: string, requestedBy: string): Promise<void> {
    const now = this.#clock.now();
    await tx.query(sql`
      INSERT INTO kernel_graph_removal (graph_id, requested_by, requested_at, next_at)
      VALUES (${graphId}, ${requestedBy}, ${now}, ${now}) ON CONFLICT (graph_id) DO NOTHING`);
    await tx.query(sql`UPDATE kernel_graph SET status = 'deprovisioned', updated_at = ${now}
      WHERE graph_id = ${graphId} AND status <> 'deprovisioned'`);
    await tx.query(sql`DELETE FROM kernel_selected_graph
      WHERE graph_id IN (SELECT graph_id FROM kernel_graph WHERE graph_id = ${graphId} OR parent_id = ${graphId})`);
    // An upload that was granted before would leave a file that nobody removes.
    await tx.query(sql`DELETE FROM kernel_file_transfer WHERE graph_id = ${graphId} AND direction = 'upload'`);
    await cancelRunsOfGraph(tx, graphId, 'graph_deleted', now);
  }

  /** Continues the removals that are due. */
  async runDue(signal: AbortSignal): Promise<void> {
    const due = await this.#store.transaction('kernel', (tx) =>
      tx.query(sql<Removal>`SELECT ${removalColumns} FROM kernel_graph_removal
        WHERE finished_at IS NULL AND next_at <= ${this.#clock.now()} ORDER BY next_at LIMIT ${maxRemovalsPerTurn}`),
    );
    for (const removal of due) {
      if (signal.aborted) return;
      await this.#advance(removal, signal);
    }
  }

  async #advance(removal: Removal, signal: AbortSignal): Promise<void> {
    let { phase } = removal;
    try {
      const graph = await this.#graphOf(removal);
      if (phase === 'preserve') {
        await this.#preserve(graph, removal.failures, signal);
        phase = await this.#enter(removal, 'remove');
      }
      if (phase === 'remove') {
        for (const step of this.#steps) await step.remove?.(graph, signal);
        phase = await this.#enter(removal, 'rows');
      }
      // An event that is delivered later could write rows again.
      await this.#store.transaction('kernel', (tx) =>
        tx.query(sql`DELETE FROM kernel_outbox WHERE graph_id = ${graph.id}`),
      );
      await this.#store.removeGraph(graph.id, this.#sets, signal);
      await this.#finish(graph);
    } catch (error) {
      // The next turn continues what the end of the process interrupted. What the time limit of the job interrupts waits
      // like any other failure, or it would take the whole of every turn.
      if (signal.aborted && !isTimeLimit(signal)) return;
      await this.#fail(removal, phase, error);
    }
  }

  async #graphOf(removal: Removal): Promise<RemovedGraph> {
    const record = await this.#store.transaction('kernel', (tx) => this.#graphs.find(tx, removal.graph_id));
    if (record === undefined) throw new Error(`The row of the removed graph ${removal.graph_id} is missing.`);
    return { ...record, removedAt: removal.requested_at };
  }

  async #preserve(graph: RemovedGraph, failures: number, signal: AbortSignal): Promise<void> {
    for (const step of this.#steps) {
      try {
        await step.preserve?.(graph, signal);
      } catch (error) {
        if (signal.aborted || failures + 1 < maxPreserveFailures) throw error;
        this.#log.error('a graph is removed without something that should have been kept', {
          graphId: graph.id,
          step: step.key,
          error,
        });
      }
    }
  }

  async #enter(removal: Removal, phase: Removal['phase']): Promise<Removal['phase']> {
    await this.#store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph_removal SET phase = ${phase}, failures = 0, error = NULL
        WHERE graph_id = ${removal.graph_id}`),
    );
    return phase;
  }

  async #finish(graph: RemovedGraph): Promise<void> {
    await this.#store.transaction('kernel', async (tx) => {
      await tx.query(sql`DELETE FROM kernel_graph_schema WHERE graph_id = ${graph.id}`);
      await tx.query(sql`UPDATE kernel_graph_removal SET finished_at = ${this.#clock.now()}, error = NULL
        WHERE graph_id = ${graph.id}`);
      await this.#events.publish(tx, graphRemoved, { graph_id: graph.id, org_id: graph.orgId });
    });
  }

  async #fail(removal: Removal, phase: Removal['phase'], error: unknown): Promise<void> {
    const failures = phase === removal.phase ? removal.failures + 1 : 1;
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
    const nextAt = new Date(this.#clock.now().getTime() + waitMs);
    const text = (error instanceof Error ? error.message : String(error)).slice(0, maxErrorCharacters);
    this.#log.error('the data of a graph could not be removed', { graphId: removal.graph_id, phase, nextAt, error });
    await this.#store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph_removal SET failures = ${failures}, next_at = ${nextAt}, error = ${text}
        WHERE graph_id = ${removal.graph_id}`),
    );
  }
}

const isTimeLimit = ({ reason }: AbortSignal): boolean => reason instanceof Error && reason.name === 'TimeoutError';

export const graphRemovals: Token<GraphRemovals> = createToken('kernel.graph-removals');
