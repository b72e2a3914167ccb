import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalRow,
  type AnalyticalSchema,
  type EventPublisher,
  type GraphSchemas,
  type Graphs,
  type Log,
  type OperationRuns,
  ServiceError,
  type Store,
  type Transaction,
} from '@pacioli/core';
import {
  type GenerationRef,
  type GraphStore,
  isGraphStoreError,
  type LoadReport,
  type StagingStore,
} from '@pacioli/core/ports';
import { noteChange } from '../changes/index.ts';
import materialized from '../events/materialized.ts';
import { noteIngested, stagedTables, withSettled } from '../files/index.ts';
import { counted, rowsText } from '../row-count.ts';
import type { AnalyticalGraph, GraphBuilder } from '../tokens.ts';
import { type BuildRequest, type BuildResult, loadOptions } from './build.ts';
import { buildFailure } from './build-failure.ts';
import { activate, activeGeneration, buildState, currentBuilder, releaseBuild, startBuild } from './generations.ts';
import { loadTable } from './load-table.ts';

interface BuilderServices {
  readonly store: Store;
  readonly graphs: Graphs;
  readonly graphStore: GraphStore;
  readonly staging: StagingStore;
  readonly schemas: GraphSchemas;
  readonly analytical: AnalyticalGraph;
  readonly events: EventPublisher;
  readonly runs: OperationRuns;
  readonly log: Log;
}

/** One extraction statement may run as long as the whole build. */
const maxStatementMs = 3_600_000;
/** How often a build looks whether the one before it has ended. */
const pollMs = 250;

/** Only a run that has ended, or an attempt taken over by another worker, can find itself replaced. */
const replaced = (): ServiceError =>
  new ServiceError('conflict', 'MATERIALIZATION_IN_PROGRESS', 'A later run builds this graph now; this one has ended.');

/** The other run has lost its worker and waits for the next one. */
const interrupted = (): ServiceError =>
  new ServiceError(
    'conflict',
    'MATERIALIZATION_IN_PROGRESS',
    'Another run that builds this graph waits for a worker. Build again when it has ended.',
  );

/** Builds a new generation while reads continue on the active one, until the swap or after a failure (graphs M-20). */
export function createBuilder(services: BuilderServices): GraphBuilder {
  return { build: (request) => build(services, request) };
}

async function build(services: BuilderServices, request: BuildRequest): Promise<BuildResult> {
  const { graph, run } = request;
  await services.analytical.active(graph).catch((error: unknown) => {
    throw buildFailure(error);
  });
  const { record, state } = await request.transaction(async (tx) => ({
    record: await services.graphs.find(tx, graph.id),
    state: await buildState(tx, graph.id),
  }));
  const reason = state.taken?.reason ?? record?.staleReason ?? null;
  const stale = { was_stale: reason !== null, stale_reason: reason };
  if (state.wasBuilt && reason === null && !request.isForced) {
    return { status: 'skipped', ...stale, tables_materialized: [], total_rows: 0, message: 'Graph is fresh' };
  }
  const taken = await beginBuild(services, request);
  const ref: GenerationRef = { graphId: graph.id, generation: taken.number };
  const startedAt = request.now();
  try {
    const loaded = await loadAll(services, request, ref, taken.active);
    const totalRows = loaded.reduce((sum, [, report]) => sum + report.rows_loaded, 0);
    const isActive = await request.transaction(async (tx) => {
      const built = { graphId: graph.id, run, number: taken.number, rows: totalRows, now: request.now() };
      if (!(await activate(tx, built))) return false;
      await noteChange(tx, graph.id, request.now());
      if (request.source === 'staged') await noteIngested(tx, startedAt, request.now());
      const payload = { graph_id: graph.id, operation_id: run, rows: totalRows };
      await services.events.publish(tx, materialized, payload, graph.id);
      return true;
    });
    if (!isActive) throw replaced();
    await dropPrevious(services, { graphId: graph.id, generation: taken.active });
    const tablesMaterialized = loaded.map(([name]) => name);
    const message = `Materialized ${rowsText(totalRows)} in ${counted(tablesMaterialized.length, 'table')}.`;
    return { status: 'success', ...stale, tables_materialized: tablesMaterialized, total_rows: totalRows, message };
  } catch (error) {
    await undo(services, request, ref);
    if (isGraphStoreError(error) && error.code !== 'rejected-rows') {
      services.log.error('the graph engine failed in a build', { graphId: graph.id, operationId: run, error });
    }
    throw buildFailure(error);
  }
}

/** Waits for another run that builds this graph, such as for a file that is ingested, and then starts. */
async function beginBuild(services: BuilderServices, { graph, run, transaction, signal }: BuildRequest) {
  for (;;) {
    const started = await transaction(async (tx) => {
      const other = await currentBuilder(tx, graph.id);
      const state = other === undefined || other === run ? undefined : await services.runs.state(tx, other);
      if (state?.status === 'running') return undefined;
      // Its worker is lost and another one will continue it. To wait for it would keep that one from its work.
      if (state?.status === 'pending') throw interrupted();
      const mark = await services.graphs.clearStale(tx, graph.id);
      return startBuild(tx, { graphId: graph.id, run, taken: mark });
    });
    if (started !== undefined) return started;
    await sleep(pollMs, undefined, { signal });
  }
}

/** After the swap a failure changes nothing: the next build removes what is left. */
async function dropPrevious({ graphStore, log }: BuilderServices, previous: GenerationRef): Promise<void> {
  await graphStore.drop(previous).catch((error: unknown) => {
    log.error('the previous generation of a graph was not removed', { ...previous, error });
  });
}

/** Keeps the previous graph active and stale, so that the next run rebuilds it. */
async function undo(services: BuilderServices, request: BuildRequest, ref: GenerationRef): Promise<void> {
  // Uses its own transaction, because it must also run after the run was canceled.
  const active = await services.store.transaction({ graphId: request.graph.id }, async (tx) => {
    const { mark } = await releaseBuild(tx, { graphId: ref.graphId, run: request.run, number: ref.generation });
    if (mark !== undefined) await services.graphs.markStale(tx, request.graph.id, mark.reason, mark.since);
    return activeGeneration(tx, ref.graphId);
  });
  // The swap may have been committed although its answer was lost.
  if (active === ref.generation) return;
  await services.graphStore.drop(ref).catch((error: unknown) => {
    services.log.error('the unfinished generation of a graph was not removed', { ...ref, error });
  });
}

type Loaded = readonly [name: string, report: LoadReport];

async function loadAll(
  services: BuilderServices,
  request: BuildRequest,
  ref: GenerationRef,
  active: number,
): Promise<readonly Loaded[]> {
  const { graphStore } = services;
  for (const generation of await graphStore.generations(ref.graphId)) {
    // Removes files of failed builds; never touches the active generation.
    if (generation !== active) await graphStore.drop({ ...ref, generation });
  }
  const schema = await request.transaction((tx) => services.schemas.of(tx, request.graph));
  await graphStore.create(ref, schema);
  const isStaged = request.source === 'staged';
  const tables = [...schema.nodes, ...schema.relationships].filter((table) => isStaged || table.rows !== undefined);
  await request.report({ message: 'Loading tables', percent: 45, current_step: 0, total_steps: tables.length });
  const loaded = isStaged
    ? await loadStaged(services, request, ref, schema)
    : await loadTables(services, request, ref, tables);
  await graphStore.promote(ref);
  await request.report({ message: 'Switching to the new graph', percent: 95 });
  return loaded;
}

/** Both counts are of the engine: one of what it read, the other of what is in the graph (graphs M-23). */
function requireAllRows(table: string, report: LoadReport): void {
  if (report.rows_loaded === report.rows_in) return;
  throw new Error(`${table}: ${report.rows_loaded} of ${report.rows_in} rows arrived.`);
}

/** Loads the staged rows of every table that has some, nodes first (graphs M-10). */
async function loadStaged(
  services: BuilderServices,
  request: BuildRequest,
  ref: GenerationRef,
  schema: AnalyticalSchema,
): Promise<readonly Loaded[]> {
  const tables = stagedTables(schema);
  const states = await withSettled(services, ref.graphId, tables, () => services.staging.check(ref.graphId, tables));
  const filled = tables.filter(({ name }) => states.some((state) => state.name === name && state.rows > 0));
  const loaded: Loaded[] = [];
  for (const table of filled) {
    const report = await loadTable(services.graphStore, {
      ref,
      table,
      graph: request.graph,
      signal: request.signal,
      withParquet: (load) => services.staging.withParquet(ref.graphId, table, load),
      withRows: (load) => services.staging.withRows(ref.graphId, table, load),
    });
    requireAllRows(table.name, report);
    loaded.push([table.name, report]);
    await reportTable(request, table.name, report, loaded.length, filled.length);
  }
  return loaded;
}

/**
 * Reads all tables in one snapshot, so that every relationship points to a loaded row. The snapshot ends when the last
 * row is read: a graph store may load tables while the next ones are read.
 */
async function loadTables(
  services: BuilderServices,
  request: BuildRequest,
  ref: GenerationRef,
  tables: readonly (AnalyticalNode | AnalyticalRelationship)[],
): Promise<readonly Loaded[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const loads: Promise<Loaded>[] = [];
  // Other transactions write the progress. They are awaited after this one, because an embedded store may have only one
  // connection. One that fails meanwhile, because the run was canceled, is no failure of its own: the signal ends the
  // loads.
  const progress: Promise<unknown>[] = [];
  const load = async (
    table: (typeof tables)[number],
    batches: AsyncIterable<readonly AnalyticalRow[]>,
  ): Promise<Loaded> => {
    const report = await services.graphStore.load(
      ref,
      table,
      { kind: 'rows', batches },
      loadOptions(request.graph, signal),
    );
    requireAllRows(table.name, report);
    const step = progress.length + 1;
    progress.push(reportTable(request, table.name, report, step, tables.length).catch(() => undefined));
    return [table.name, report];
  };
  const readAll = async (tx: Transaction): Promise<void> => {
    for (const table of tables) {
      const batches = table.rows?.({ graphId: ref.graphId, tx });
      if (batches === undefined) continue;
      const reading = untilRead(batches);
      loads.push(load(table, reading.batches));
      // Ends early when any load fails.
      await Promise.race([reading.isRead, Promise.all(loads)]);
    }
  };
  const ended = async (): Promise<unknown> => {
    stop.abort();
    return Promise.allSettled(loads);
  };
  try {
    // A load that still reads must not outlive the transaction.
    const read = (tx: Transaction): Promise<void> =>
      readAll(tx).catch((error) => ended().then(() => Promise.reject(error)));
    await request.transaction(read, { readOnly: true, maxStatementMs });
    return await Promise.all(loads);
  } finally {
    await ended();
    await Promise.all(progress);
  }
}

/** Tells when the last batch was taken, or no more will be. */
function untilRead(batches: AsyncIterable<readonly AnalyticalRow[]>): {
  readonly batches: AsyncIterable<readonly AnalyticalRow[]>;
  readonly isRead: Promise<void>;
} {
  let end: () => void = () => undefined;
  const isRead = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* reading(): AsyncGenerator<readonly AnalyticalRow[]> {
    try {
      yield* batches;
    } finally {
      end();
    }
  }
  return { batches: reading(), isRead };
}

async function reportTable(
  request: BuildRequest,
  table: string,
  report: LoadReport,
  step: number,
  steps: number,
): Promise<void> {
  await request.report({
    message: `Loaded ${table}`,
    percent: 50 + Math.floor((40 * step) / steps),
    current_step: step,
    total_steps: steps,
    details: { table, rows: report.rows_loaded },
  });
}
