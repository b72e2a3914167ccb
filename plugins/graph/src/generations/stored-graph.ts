import {
  type Clock,
  type Freshness,
  type GraphFacts,
  type GraphRows,
  type GraphSchemas,
  type Graphs,
  type Log,
  notFound,
  type RowLimits,
  type Store,
  type Subgraphs,
  type Transaction,
} from '@pacioli/core';
import { type GenerationRef, type GraphStore, isGraphStoreError, type RowStream } from '@pacioli/core/ports';
import { WriteMarks } from '../changes/index.ts';
import {
  gateFailure,
  gateStatement,
  maxJsonRows,
  priorityOfTier,
  queryFailure,
  rowObject,
  StatementQueue,
} from '../cypher/index.ts';
import type { AnalyticalGraph } from '../tokens.ts';
import { activeGeneration, buildState, materializedAt, saveFirstGeneration } from './generations.ts';
import { JoinedReads } from './joined-reads.ts';

interface GraphServices {
  readonly graphs: Pick<Graphs, 'find'>;
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly schemas: GraphSchemas;
  readonly subgraphs: Pick<Subgraphs, 'generation'>;
  readonly log: Log;
  readonly queue: StatementQueue;
  readonly marks: WriteMarks;
  /** Reads of the active generation, which concurrent statements of a graph share. */
  readonly active: JoinedReads<number | undefined>;
}

/** The limits of graphs C-4 and L-9. */
const maxRunning = 50;
const maxWaiting = 1_000;
/** A statement waits for its turn at most this long (graphs Q-33). */
const maxWaitMs = 30_000;

/** Reads of the active analytical graph through the gate. */
export function createAnalyticalGraph(
  given: Omit<GraphServices, 'queue' | 'marks' | 'active'> & { readonly clock: Clock },
): AnalyticalGraph {
  const { graphStore } = given;
  const maxRunningPerGraph = graphStore.maxStatementsPerGraph;
  const marks = new WriteMarks(given);
  const active = new JoinedReads((graphId) =>
    given.store.transaction({ graphId }, (tx) => activeGeneration(tx, graphId), { readOnly: true }),
  );
  const queue = new StatementQueue({ maxRunning, maxRunningPerGraph, maxWaiting });
  const services = { ...given, marks, queue, active };
  return {
    query: (graph, statement, options) =>
      runStatement(services, graph, () => activeRef(services, graph), statement, options),
    check: (graph, statement, options) => checkStatement(services, graph, statement, options),
    rows: (tx, graph, statement, limits) => readRows(services, tx, graph, statement, limits),
    addTables: async (graph, schema) => {
      await marks.note(graph.id);
      await graphStore.addTables(await activeRef(services, graph), schema);
    },
    freshness: (tx, { id }) => freshnessOf(services, tx, id),
    active: (graph) => activeRef(services, graph),
    catalog: (graph) => retriedAfterSwap(async () => graphStore.catalog(await activeRef(services, graph))),
  };
}

/** Runs statements of callers and reports their failures in the words of the API. */
async function runStatement(
  services: GraphServices,
  graph: GraphFacts,
  generation: () => Promise<GenerationRef>,
  { text, parameters }: Parameters<AnalyticalGraph['query']>[1],
  options: Parameters<AnalyticalGraph['query']>[2],
): Promise<RowStream> {
  const { graphStore } = services;
  const verdict = gated(services, graph, { text, parameters }, options);
  const started = performance.now();
  const { signal, timeoutMs } = options;
  let end: (() => void) | undefined;
  try {
    // Before the turn: a caller may wait for its turn while it holds the only connection of an embedded store.
    let known: GenerationRef | undefined = await generation();
    const current = async (): Promise<GenerationRef> => {
      const ref = known ?? (await generation());
      known = undefined;
      return ref;
    };
    const priority = priorityOfTier(graph.tier);
    end = await services.queue.take({
      graphId: graph.id,
      priority,
      signal,
      ...(options.turn ?? { maxWaitMs: Math.min(timeoutMs, maxWaitMs) }),
    });
    if (verdict.isWrite) {
      // Before the write, so that a crash in between costs a backup too many and not one too few.
      await services.marks.note(graph.id);
      return ending(await graphStore.write(await current(), verdict.statement, parameters, options), end);
    }
    const read = async () => graphStore.run(await current(), verdict.statement, parameters, options);
    return ending(await retriedAfterSwap(read), end);
  } catch (error) {
    end?.();
    logEngineFailure(services.log, graph.id, error);
    const reported = await onCallersText(error, async () => graphStore.analyze(await generation(), text, parameters));
    throw queryFailure(reported, { timeoutMs: options.timeoutMs, elapsedMs: performance.now() - started });
  }
}

/** The same rows; ends the turn when they are all read or the stream is canceled. */
function ending(stream: RowStream, end: () => void): RowStream {
  return {
    columns: stream.columns,
    summary: () => stream.summary(),
    cancel: () => stream.cancel().finally(end),
    async *[Symbol.asyncIterator]() {
      try {
        yield* stream;
      } finally {
        end();
      }
    },
  };
}

/** The statement as the gate lets it through; throws its refusal. */
function gated(
  { graphStore }: GraphServices,
  graph: GraphFacts,
  { text, parameters }: Parameters<AnalyticalGraph['check']>[1],
  options: Parameters<AnalyticalGraph['check']>[2],
): { readonly isWrite: boolean; readonly statement: string } {
  const writes = graph.parentId === undefined ? readOnly(graph) : (options.writes ?? readOnly(graph));
  const gate = { ...graphStore.dialect, maxRows: options.maxRows, parameters, writes };
  const verdict = gateStatement(text, gate);
  if (!verdict.isAllowed) throw gateFailure(verdict.refusal);
  return verdict;
}

async function checkStatement(
  services: GraphServices,
  graph: GraphFacts,
  statement: Parameters<AnalyticalGraph['check']>[1],
  options: Parameters<AnalyticalGraph['check']>[2],
): Promise<void> {
  gated(services, graph, statement, options);
  const { text, parameters } = statement;
  // Binding a statement may compute its constants, so it takes a turn like running it.
  const priority = priorityOfTier(graph.tier);
  const end = await services.queue.take({ graphId: graph.id, priority, signal: options.signal, maxWaitMs });
  const started = performance.now();
  try {
    await retriedAfterSwap(async () => services.graphStore.analyze(await activeRef(services, graph), text, parameters));
  } catch (error) {
    const elapsedMs = performance.now() - started;
    throw queryFailure(error, { timeoutMs: elapsedMs, elapsedMs });
  } finally {
    end();
  }
}

/** How the content of a graph is changed instead (graphs Q-11). */
function readOnly({ type, parentId }: GraphFacts): { readonly refusal: string } {
  if (parentId !== undefined) return { refusal: 'This read does not change the graph.' };
  const way = type === 'generic' ? 'by uploading and ingesting files' : 'through the operations of its extensions';
  return { refusal: `Graphs are read-only here: change the data ${way}, then materialize, or try it in a subgraph.` };
}

const defaultRows = 1_000;
const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 60_000;
const rowsPerChunk = 1_000;

/** Collects the rows of a statement in the JSON values of the wire. */
async function readRows(
  services: GraphServices,
  tx: Transaction,
  graph: GraphFacts,
  statement: Parameters<AnalyticalGraph['rows']>[2],
  limits: RowLimits = {},
): Promise<GraphRows> {
  const { maxRows = defaultRows, timeoutMs = defaultTimeoutMs, signal = new AbortController().signal } = limits;
  requireAtMost('maxRows', maxRows, maxJsonRows);
  requireAtMost('timeoutMs', timeoutMs, maxTimeoutMs);
  // In the transaction of the caller: the embedded store has one connection, so a second one would wait for it.
  const generation = await activeGeneration(tx, graph.id);
  if (generation === undefined) return { columns: [], rows: [], isTruncated: false };
  const started = performance.now();
  const whole = { parameters: {}, ...statement };
  const options = { maxRows, timeoutMs, rowsPerChunk, signal };
  const stream = await runStatement(services, graph, async () => ({ graphId: graph.id, generation }), whole, options);
  try {
    const rows: Record<string, unknown>[] = [];
    for await (const chunk of stream) rows.push(...chunk.map((row) => rowObject(stream.columns, row)));
    return { columns: stream.columns, rows, isTruncated: stream.summary().truncated };
  } catch (error) {
    throw queryFailure(error, { timeoutMs, elapsedMs: performance.now() - started });
  } finally {
    await stream.cancel();
  }
}

function requireAtMost(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new RangeError(`${name} is a whole number from 1 to ${max}, not ${value}.`);
}

async function freshnessOf({ graphs }: GraphServices, tx: Transaction, graphId: string): Promise<Freshness> {
  const record = await graphs.find(tx, graphId);
  // Until a build succeeds, the graph is as stale as before it.
  const { taken } = await buildState(tx, graphId);
  return {
    materializedAt: await materializedAt(tx, graphId),
    staleSince: taken?.since ?? record?.staleSince ?? null,
    staleReason: taken?.reason ?? record?.staleReason ?? null,
  };
}

/**
 * Restates the engine’s error for the caller’s statement: the executed one has added column names and a limit, while
 * lines and columns must refer to the caller’s text.
 */
async function onCallersText(error: unknown, analyze: () => Promise<unknown>): Promise<unknown> {
  if (!isGraphStoreError(error) || !['syntax', 'bind'].includes(error.code)) return error;
  try {
    await analyze();
    return error;
  } catch (ofCallersText) {
    return isGraphStoreError(ofCallersText) && ofCallersText.code === error.code ? ofCallersText : error;
  }
}

/** Callers get one sentence; the engine’s message is for operators. All routes log failures with status 500. */
function logEngineFailure(log: Log, graphId: string, error: unknown): void {
  if (!isGraphStoreError(error) || !['memory', 'unavailable'].includes(error.code) || error.cause === undefined) return;
  log.error('the graph engine failed', { graphId, code: error.code, error: error.cause });
}

/**
 * A swap between reading the pointer and opening the file removes the file or closes its process, so the pointer is
 * read once more.
 */
async function retriedAfterSwap<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isGraphStoreError(error) && ['database-missing', 'unavailable'].includes(error.code)) return run();
    throw error;
  }
}

/** A graph that was never materialized has an empty generation with all its tables (graphs SC-50). */
async function activeRef(services: GraphServices, graph: GraphFacts): Promise<GenerationRef> {
  if (graph.parentId !== undefined) return subgraphRef(services, graph);
  const active = await services.active.read(graph.id);
  if (active !== undefined) return { graphId: graph.id, generation: active };
  const first: GenerationRef = { graphId: graph.id, generation: 0 };
  await createEmpty(services, graph, first);
  await services.store.transaction({ graphId: graph.id }, (tx) => saveFirstGeneration(tx, graph.id));
  return { graphId: graph.id, generation: (await services.active.read(graph.id)) ?? 0 };
}

/** The database of a subgraph, which is made when it is first used. */
async function subgraphRef(services: GraphServices, graph: GraphFacts): Promise<GenerationRef> {
  const generation = await services.store.transaction(
    { graphId: graph.id },
    (tx) => services.subgraphs.generation(tx, graph.id),
    { readOnly: true },
  );
  if (generation === undefined) throw notFound('Graph not found.');
  const ref: GenerationRef = { graphId: graph.id, generation };
  if (!(await services.graphStore.exists(ref))) await createEmpty(services, graph, ref);
  return ref;
}

async function createEmpty(services: GraphServices, graph: GraphFacts, ref: GenerationRef): Promise<void> {
  const schema = await services.store.transaction({ graphId: graph.id }, (tx) => services.schemas.of(tx, graph), {
    readOnly: true,
  });
  try {
    await services.graphStore.create(ref, schema);
    await services.graphStore.promote(ref);
  } catch (error) {
    // Another request is creating it concurrently, or one died before recording it.
    if (!isGraphStoreError(error) || error.code !== 'database-exists') throw error;
  }
}
