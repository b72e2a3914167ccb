import { type GraphRecord, ServiceError } from '@pacioli/core';
import { type GenerationRef, type GraphStats, isGraphStoreError } from '@pacioli/core/ports';
import { schemaDigest } from './archive.ts';
import type { ReadArchive } from './read-archive.ts';
import { type Replaced, type ReplaceServices, replaceDatabase } from './replace-database.ts';

interface RestoreRequest {
  readonly graph: GraphRecord;
  readonly archive: ReadArchive;
  readonly takesFinalBackup: boolean;
  /** True to restore a database whose tables are not those that the graph declares. */
  readonly takesOtherSchema: boolean;
  readonly signal: AbortSignal;
}

/** Replaces the database of a graph by the content of a backup, whose rows are counted before (graphs B-20). */
export async function restoreBackup(services: ReplaceServices, request: RestoreRequest): Promise<Replaced> {
  await requireSameSchema(services, request);
  return replaceDatabase(services, {
    ...request,
    reason: 'backup_restored',
    build: (ref) => build(services, ref, request),
  });
}

async function requireSameSchema(
  { store, schemas }: ReplaceServices,
  { graph, archive: { manifest }, takesOtherSchema }: RestoreRequest,
): Promise<void> {
  const schema = await store.transaction({ graphId: graph.id }, (tx) => schemas.of(tx, graph), { readOnly: true });
  if (takesOtherSchema || manifest.schema_sha256 === schemaDigest(schema)) return;
  const message =
    `The backup of ${manifest.graph_id} has another schema than ${graph.id}, so it was not restored. ` +
    'Restore it to a graph with its schema; --other-schema restores it all the same.';
  throw new ServiceError('refused', 'SCHEMA_DIFFERS', message);
}

async function build(
  services: ReplaceServices,
  ref: GenerationRef,
  { archive, signal }: RestoreRequest,
): Promise<GraphStats> {
  const { manifest } = archive;
  const restored = await services.graphStore
    .restore(ref, { format: manifest.format, chunks: await archive.content() }, signal)
    .catch((error: unknown) => {
      if (!isGraphStoreError(error)) throw error;
      throw new ServiceError('refused', 'BACKUP_NOT_RESTORED', `The backup was not restored. ${error.message}`, {
        cause: error,
      });
    });
  const isSame = (left: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>): boolean =>
    JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort());
  if (isSame(restored.nodes, manifest.nodes) && isSame(restored.relationships, manifest.relationships)) return restored;
  await services.graphStore.drop(ref);
  const message = 'The backup was not restored: its rows are not those that its manifest counts.';
  throw new ServiceError('refused', 'BACKUP_NOT_RESTORED', message);
}
