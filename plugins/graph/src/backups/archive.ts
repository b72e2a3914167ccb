import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AnalyticalSchema } from '@pacioli/core';
import type { GraphSnapshot } from '@pacioli/core/ports';
import { ZipFile } from 'yazl';
import { cypherOf } from '../schema/index.ts';

/** Describes the content of a backup, next to it in the archive (graphs B-4). */
export interface Manifest {
  readonly version: 1;
  readonly graph_id: string;
  readonly graph_type: string;
  /** Engine and storage version. */
  readonly format: string;
  readonly schema_sha256: string;
  readonly nodes: Readonly<Record<string, number>>;
  readonly relationships: Readonly<Record<string, number>>;
  readonly taken_at: string;
  readonly members: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** The digest of the tables that a schema declares. */
export const schemaDigest = (schema: AnalyticalSchema): string =>
  createHash('sha256').update(cypherOf(schema)).digest('hex');

export const manifestName = 'manifest.json';

/** What a manifest says beyond what the snapshot itself does. */
export type BackupFacts = Pick<Manifest, 'graph_id' | 'graph_type' | 'schema_sha256' | 'taken_at'>;

/**
 * Streams a ZIP of the database file and its manifest. The manifest follows the database, because it has the digest of
 * what was written.
 */
export function writeArchive(snapshot: GraphSnapshot, facts: BackupFacts, member: string): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const digest = createHash('sha256');
  let bytes = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of snapshot.chunks) {
      digest.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
    const manifest: Manifest = {
      version: 1,
      ...facts,
      format: snapshot.format,
      nodes: snapshot.stats.nodes,
      relationships: snapshot.stats.relationships,
      members: [{ name: member, bytes, sha256: digest.digest('hex') }],
    };
    zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), manifestName);
    zip.end();
  }
  const output = new PassThrough();
  const content = Readable.from(measured(), { objectMode: false });
  content.on('error', (error) => output.destroy(error));
  // Also when the archive is abandoned, so that the snapshot removes what it holds.
  output.once('close', () => content.destroy());
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new Error('The archive failed.')));
  zip.addReadStream(content, member);
  // A failure destroys the output, and its reader gets the error.
  pipeline(zip.outputStream, output).catch((error: Error) => output.destroy(error));
  return output;
}
