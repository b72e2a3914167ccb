import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type GraphRecord, ServiceError } from '@pacioli/core';
import { type GraphStore, isGraphStoreError, isStagingError, type StagingStore } from '@pacioli/core/ports';
import { definitionOf } from '../schema/index.ts';
import type { AnalyticalGraph } from '../tokens.ts';
import {
  type BundleFile,
  type BundleManifest,
  type BundleTable,
  bundleFormat,
  bundleManifest,
  bundleSchema,
  bundleVersion,
  fileOfTable,
  schemaOfCatalog,
} from './bundle.ts';

/** The rows of a tenant are for the user that runs the command. */
const ownFolder = 0o700;
const ownFile = 0o600;

export interface ExportServices {
  readonly graphStore: GraphStore;
  readonly staging: StagingStore;
  readonly analytical: AnalyticalGraph;
  readonly clock: Clock;
}

interface ExportRequest {
  readonly graph: GraphRecord;
  /** Must be empty or absent; it is created. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called after each table. */
  readonly onTable: (table: BundleTable) => void;
}

/**
 * Writes the active database of a graph as a bundle that any engine can import: its schema, a parquet file for each
 * table, and a manifest with counts and digests. A failure leaves no bundle (graphs P-3).
 */
export async function writeBundle(services: ExportServices, request: ExportRequest): Promise<BundleManifest> {
  const { folder } = request;
  await requireEmpty(folder);
  try {
    for (const name of ['nodes', 'relationships'])
      await mkdir(join(folder, name), { recursive: true, mode: ownFolder });
    return await writeFiles(services, request);
  } catch (error) {
    for (const name of [bundleManifest, bundleSchema, 'nodes', 'relationships'])
      await rm(join(folder, name), { recursive: true, force: true });
    if (!isGraphStoreError(error) && !isStagingError(error)) throw error;
    throw new ServiceError('unavailable', 'GRAPH_NOT_EXPORTED', `The graph was not exported. ${error.message}`, {
      cause: error,
    });
  }
}

async function writeFiles(services: ExportServices, request: ExportRequest): Promise<BundleManifest> {
  const { graph, folder, signal } = request;
  const ref = await services.analytical.active(graph);
  const schema = schemaOfCatalog(await services.graphStore.catalog(ref));
  const definition = { name: graph.id, version: '1.0.0', ...definitionOf(schema) };
  await writeFile(join(folder, bundleSchema), `${JSON.stringify(definition, null, 2)}\n`, {
    flush: true,
    mode: ownFile,
  });
  const tables: BundleTable[] = [];
  for (const table of [...schema.nodes, ...schema.relationships]) {
    const file = fileOfTable(table);
    const batches = services.graphStore.readTable(ref, table.name, signal);
    const rows = await services.staging.writeParquet(join(folder, file), table.columns, batches, signal);
    await chmod(join(folder, file), ownFile);
    await syncToDisk(join(folder, file));
    const written = { kind: table.kind, name: table.name, rows, ...(await describeFile(folder, file)) };
    tables.push(written);
    request.onTable(written);
  }
  await requireUnchanged(services, ref, tables);
  const manifest: BundleManifest = {
    format: bundleFormat,
    version: bundleVersion,
    graph_id: graph.id,
    graph_type: graph.type,
    engine: services.graphStore.driver,
    exported_at: services.clock.now().toISOString(),
    schema: await describeFile(folder, bundleSchema),
    tables,
  };
  // The manifest is on disk only after all that it describes.
  for (const name of ['nodes', 'relationships', '.']) await syncToDisk(join(folder, name));
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, bundleManifest), text, { flush: true, mode: ownFile });
  await syncToDisk(folder);
  return manifest;
}

/** Flushes a file, or the entries of a folder. */
async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A main graph is not written in place, but a subgraph may be. */
async function requireUnchanged(
  { graphStore }: ExportServices,
  ref: Parameters<GraphStore['stats']>[0],
  tables: readonly BundleTable[],
): Promise<void> {
  const { nodes, relationships } = await graphStore.stats(ref);
  const changed = tables.filter(({ kind, name, rows }) => (kind === 'node' ? nodes : relationships)[name] !== rows);
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name).join(', ');
  const message = `The graph was written while it was read (${names}). Export it again when nobody writes to it.`;
  throw new ServiceError('conflict', 'GRAPH_CHANGED', message);
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new ServiceError(
      'refused',
      'FOLDER_NOT_USABLE',
      `${folder} cannot be read as a folder. Name a folder that is empty or does not exist.`,
      { cause: error },
    );
  });
  if (names.length > 0)
    throw new ServiceError(
      'refused',
      'FOLDER_NOT_EMPTY',
      `${folder} is not empty. Name an empty folder or one that does not exist.`,
    );
}

/** Reads the file back from disk, so that the digest is that of the stored bytes. */
export async function describeFile(folder: string, file: string): Promise<BundleFile> {
  const path = join(folder, file);
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Uint8Array); // No encoding: bytes.
  const { size } = await stat(path);
  return { file, bytes: size, sha256: digest.digest('hex') };
}
