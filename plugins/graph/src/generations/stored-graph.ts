import { type AnalyticalSchema, type Graph, type Log, type Store, schemaForGraph } from '@pacioli/core';
import {
  type GenerationRef,
  type GraphStore,
  isGraphStoreError,
  type RowStream,
  type RunOptions,
} from '@pacioli/core/ports';
import { gateFailure, gateStatement, queryFailure } from '../cypher/index.ts';
import type { AnalyticalGraph } from '../tokens.ts';
import { activeGeneration, saveFirstGeneration } from './generations.ts';

interface Parts {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly schema: AnalyticalSchema;
  readonly log: Log;
}

type GraphFacts = Pick<Graph, 'id' | 'extensions'>;

/** Reads of the active analytical graph through the gate. */
export function createAnalyticalGraph(parts: Parts): AnalyticalGraph {
  const { graphStore } = parts;
  return {
    active: (graph) => activeRef(parts, graph),
    catalog: (graph) => onceMore(async () => graphStore.catalog(await activeRef(parts, graph))),

    async query(graph, { text, parameters }, options: RunOptions): Promise<RowStream> {
      const gate = { readProcedures: graphStore.dialect.readProcedures, maxRows: options.maxRows, parameters };
      const verdict = gateStatement(text, gate);
      if (!verdict.isAllowed) throw gateFailure(verdict.refusal);
      const started = performance.now();
      const run = async (): Promise<RowStream> =>
        graphStore.run(await activeRef(parts, graph), verdict.statement, parameters, options);
      try {
        return await onceMore(run);
      } catch (error) {
        logEngineFailure(parts.log, graph.id, error);
        const reported = await onCallersText(error, async () =>
          graphStore.analyze(await activeRef(parts, graph), text, parameters),
        );
        throw queryFailure(reported, { timeoutMs: options.timeoutMs, elapsedMs: performance.now() - started });
      }
    },
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
async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isGraphStoreError(error) && ['database-missing', 'unavailable'].includes(error.code)) return run();
    throw error;
  }
}

/** A graph that was never materialized has an empty generation with all its tables (graphs SC-50). */
async function activeRef(parts: Parts, graph: GraphFacts): Promise<GenerationRef> {
  const read = (): Promise<number | undefined> =>
    parts.store.transaction({ graphId: graph.id }, (tx) => activeGeneration(tx, graph.id), { readOnly: true });
  const active = await read();
  if (active !== undefined) return { graphId: graph.id, generation: active };
  const first: GenerationRef = { graphId: graph.id, generation: 0 };
  try {
    await parts.graphStore.create(first, schemaForGraph(parts.schema, graph.extensions));
    await parts.graphStore.promote(first);
  } catch (error) {
    // Another request is creating it concurrently, or one died before recording it.
    if (!isGraphStoreError(error) || error.code !== 'database-exists') throw error;
  }
  await parts.store.transaction({ graphId: graph.id }, (tx) => saveFirstGeneration(tx, graph.id));
  return { graphId: graph.id, generation: (await read()) ?? 0 };
}
