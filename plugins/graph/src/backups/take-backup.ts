import {
  type Clock,
  type GraphFacts,
  type GraphSchemas,
  isRunRepeated,
  ServiceError,
  type Store,
  tierNumbers,
} from '@pacioli/core';
import {
  type FileStore,
  type GenerationRef,
  type GraphSnapshot,
  type GraphStore,
  isFileStoreError,
  isGraphStoreError,
} from '@pacioli/core/ports';
import { rowCount } from '../row-count.ts';
import type { AnalyticalGraph } from '../tokens.ts';
import { schemaDigest, writeArchive } from './archive.ts';
import { completeBackup, failBackup, startBackup } from './stored-backups.ts';

export interface SnapshotServices {
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly files: FileStore;
  readonly schemas: GraphSchemas;
  readonly analytical: AnalyticalGraph;
  readonly clock: Clock;
}

/** The graph whose database is backed up. */
export interface BackedUpGraph extends GraphFacts {
  readonly type: string;
  readonly tier: string;
}

const gigabyte = 1_000_000_000;

/**
 * Takes a backup that is in the list of `graphId`: a consistent copy of the database, streamed into an archive. The row
 * ends as completed or failed, unless another attempt of the run continues with it. Throws the reason of a failure.
 */
export async function takeBackup(
  services: SnapshotServices,
  request: {
    readonly graphId: string;
    readonly backupId: string;
    readonly of: BackedUpGraph;
    /** The database of the graph; by default the active one. */
    readonly database?: GenerationRef;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly compressedBytes: number; readonly key: string }> {
  const { graphId, backupId, of } = request;
  const { store, clock } = services;
  const started = performance.now();
  const backup = await store.transaction({ graphId }, (tx) => startBackup(tx, backupId));
  if (backup === undefined) throw new ServiceError('conflict', 'BACKUP_ENDED', 'This backup has ended already.');
  let snapshot: GraphSnapshot | undefined;
  try {
    const database = request.database ?? (await services.analytical.active(of));
    await requireSize(services.graphStore, database, of.tier);
    snapshot = await services.graphStore.snapshot(database, request.signal);
    const stored = await storeSnapshot(services, snapshot, { ...request, key: backup.file_key });
    const taken = {
      originalBytes: snapshot.stats.size_bytes,
      compressedBytes: stored.bytes,
      nodes: rowCount(snapshot.stats.nodes),
      relationships: rowCount(snapshot.stats.relationships),
      seconds: Math.round(performance.now() - started) / 1_000,
    };
    await store.transaction({ graphId }, (tx) => completeBackup(tx, backupId, taken, clock.now()));
    return { compressedBytes: stored.bytes, key: backup.file_key };
  } catch (error) {
    const failure = backupFailure(error);
    // The next attempt of the run takes it.
    if (isRunRepeated(request.signal)) throw failure;
    const reason = failure instanceof Error ? failure.message : 'unknown';
    await store.transaction({ graphId }, (tx) => failBackup(tx, backupId, reason, clock.now()));
    throw failure;
  } finally {
    await snapshot?.discard?.();
  }
}

/** Refuses a database that is too large before it is copied, which would take its space a second time. */
async function requireSize(graphStore: GraphStore, database: GenerationRef, tier: string): Promise<void> {
  const sizes = await graphStore.sizes(database.graphId);
  const bytes = sizes.find(({ generation }) => generation === database.generation)?.size_bytes ?? 0;
  const { maxSizeGb } = tierNumbers(tier).backup;
  if (bytes <= maxSizeGb * gigabyte) return;
  throw new ServiceError('too_large', 'BACKUP_TOO_LARGE', `The graph is larger than the ${maxSizeGb} GB of its tier.`);
}

async function storeSnapshot(
  services: SnapshotServices,
  snapshot: GraphSnapshot,
  request: { readonly of: BackedUpGraph; readonly key: string; readonly signal: AbortSignal },
): Promise<{ readonly bytes: number }> {
  const { of, key, signal } = request;
  const maxBytes = tierNumbers(of.tier).backup.maxSizeGb * gigabyte;
  const schema = await services.store.transaction({ graphId: of.id }, (tx) => services.schemas.of(tx, of), {
    readOnly: true,
  });
  const facts = {
    graph_id: of.id,
    graph_type: of.type,
    schema_sha256: schemaDigest(schema),
    taken_at: services.clock.now().toISOString(),
  };
  const member = `${of.id}.${services.graphStore.capabilities.snapshotExtension}`;
  const archive = writeArchive(snapshot, facts, member);
  // An archive of content that cannot be compressed is a little longer than the content.
  return services.files.write(key, archive, { maxBytes: maxBytes * 2, contentType: 'application/zip', signal });
}

/** The errors of operations that take backups, for the documents. */
export const backupErrors = {
  BACKUP_UNAVAILABLE: { kind: 'unavailable', meaning: 'The graph or the file store cannot be reached now.' },
  BACKUP_TOO_LARGE: { kind: 'too_large', meaning: 'The graph is larger than the backups of its tier.' },
  BACKUP_ENDED: { kind: 'conflict', meaning: 'The backup was completed, has failed or has expired.' },
} as const;

function backupFailure(error: unknown): unknown {
  if (!isFileStoreError(error) && !isGraphStoreError(error)) return error;
  const message = `The backup was not taken. ${error.message}`;
  return new ServiceError('unavailable', 'BACKUP_UNAVAILABLE', message, {
    cause: error,
    headers: { 'Retry-After': '60' },
  });
}
