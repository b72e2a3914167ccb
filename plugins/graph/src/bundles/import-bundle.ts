import { join } from 'node:path';
import { type AnalyticalSchema, type GraphRecord, isBaseType, ServiceError } from '@pacioli/core';
import {
  type GenerationRef,
  type GraphStats,
  isGraphStoreError,
  isStagingError,
  type StagingStore,
} from '@pacioli/core/ports';
import { type Replaced, type ReplaceServices, replaceDatabase } from '../backups/index.ts';
import { loadTable } from '../generations/index.ts';
import { type BundleTable, differingTables } from './bundle.ts';
import type { ReadBundle } from './read-bundle.ts';

export interface ImportServices extends ReplaceServices {
  readonly staging: StagingStore;
}

interface ImportRequest {
  readonly graph: GraphRecord;
  readonly bundle: ReadBundle;
  readonly takesFinalBackup: boolean;
  readonly signal: AbortSignal;
  readonly onTable: (table: BundleTable) => void;
}

/** Replaces the database of a graph by the rows of a bundle, on the engine of this deployment (graphs P-3). */
export async function importBundle(services: ImportServices, request: ImportRequest): Promise<Replaced> {
  const { graph, bundle } = request;
  const schema = await services.store.transaction({ graphId: graph.id }, (tx) => services.schemas.of(tx, graph), {
    readOnly: true,
  });
  requireSameSchema(schema, bundle.schema);
  requireTypes(services, schema);
  return replaceDatabase(services, {
    ...request,
    reason: 'bundle_imported',
    build: (ref) => load(services, ref, schema, request),
  });
}

function requireSameSchema(schema: AnalyticalSchema, bundled: AnalyticalSchema): void {
  const names = differingTables(schema, bundled);
  if (names.length === 0) return;
  const message =
    `The bundle and the graph differ in these tables or their columns: ${names.slice(0, 10).join(', ')}. ` +
    'Import it into a graph with its schema: create-graph accepts its schema.json as custom_schema.';
  throw new ServiceError('refused', 'SCHEMA_DIFFERS', message);
}

function requireTypes({ graphStore }: ImportServices, schema: AnalyticalSchema): void {
  if (graphStore.capabilities.types === 'all') return;
  for (const { name, columns } of [...schema.nodes, ...schema.relationships]) {
    const column = columns.find(({ type }) => !isBaseType(type));
    if (column === undefined) continue;
    const message =
      `${name}.${column.name} is ${column.type}, which ${graphStore.driver} cannot hold without loss. ` +
      'Import it on the embedded engine, or into a graph without this property.';
    throw new ServiceError('refused', 'TYPE_NOT_SUPPORTED', message);
  }
}

/** Loads every table, counts what arrived and removes the new database if it is not what the manifest says. */
async function load(
  services: ImportServices,
  ref: GenerationRef,
  schema: AnalyticalSchema,
  request: ImportRequest,
): Promise<GraphStats> {
  const { manifest } = request.bundle;
  try {
    await services.graphStore.create(ref, schema);
    for (const table of [...schema.nodes, ...schema.relationships]) {
      const listed = manifest.tables.find(({ kind, name }) => kind === table.kind && name === table.name);
      if (listed === undefined) throw notImported(`Its manifest does not list ${table.name}.`);
      const path = join(request.bundle.folder, listed.file);
      await services.staging.checkParquet(path, table.columns, request.signal);
      const report = await loadTable(services.graphStore, {
        ref,
        table,
        graph: request.graph,
        signal: request.signal,
        withParquet: (load) => load(path),
        withRows: (load) => services.staging.readParquet(path, table.columns, load, request.signal),
      });
      if (report.rows_loaded !== listed.rows)
        throw notImported(`${table.name} has ${report.rows_loaded} rows; its manifest lists ${listed.rows}.`);
      request.onTable(listed);
    }
    await services.graphStore.promote(ref);
    const stats = await services.graphStore.stats(ref);
    for (const { kind, name, rows } of manifest.tables)
      if ((kind === 'node' ? stats.nodes : stats.relationships)[name] !== rows)
        throw notImported(`${name} does not have the ${rows} rows of its manifest.`);
    return stats;
  } catch (error) {
    await services.graphStore.drop(ref);
    if (isGraphStoreError(error) || isStagingError(error)) throw notImported(error.message, error);
    throw error;
  }
}

function notImported(reason: string, cause?: unknown): ServiceError {
  const message = `The bundle was not imported, and the graph is as it was. ${reason} Export it again, then import the new bundle.`;
  return new ServiceError('refused', 'BUNDLE_NOT_IMPORTED', message, { cause });
}
