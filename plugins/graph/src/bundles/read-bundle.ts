import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnalyticalSchema, ServiceError } from '@pacioli/core';
import {
  type BundleFile,
  type BundleManifest,
  bundleFormat,
  bundleManifest,
  bundleSchema,
  bundleVersion,
  fileOfTable,
} from './bundle.ts';
import { isManifest, isWrittenSchema, type WrittenProperty, type WrittenSchema } from './bundle-shape.ts';
import { describeFile } from './write-bundle.ts';

const maxManifestBytes = 4_000_000;
const maxSchemaBytes = 16_000_000;

/** A bundle whose files have the sizes and digests of its manifest. */
export interface ReadBundle {
  readonly folder: string;
  readonly manifest: BundleManifest;
  readonly schema: AnalyticalSchema;
}

/** Reads a bundle and verifies all its files. Throws if one is missing or damaged, or if it is something else. */
export async function readBundle(folder: string): Promise<ReadBundle> {
  const manifest = await manifestOf(folder);
  const requireFileName = ({ file }: BundleFile, expected: string): void => {
    // Also keeps a manifest from naming files elsewhere.
    if (file !== expected) throw damaged(`Its manifest names ${file.slice(0, 100)} instead of ${expected}.`);
  };
  requireFileName(manifest.schema, bundleSchema);
  if (manifest.schema.bytes > maxSchemaBytes) throw damaged(`Its schema has more than ${maxSchemaBytes} bytes.`);
  await verify(folder, manifest.schema);
  const schema = schemaOf(await writtenSchema(join(folder, bundleSchema)));
  const tables = [...schema.nodes, ...schema.relationships];
  if (tables.length !== manifest.tables.length) throw damaged('Its manifest and its schema have other tables.');
  for (const [index, listed] of manifest.tables.entries()) {
    const table = tables[index];
    if (table?.name !== listed.name || table.kind !== listed.kind)
      throw damaged('Its manifest and its schema have other tables.');
    requireFileName(listed, fileOfTable(table));
    await verify(folder, listed);
  }
  return { folder, manifest, schema };
}

async function manifestOf(folder: string): Promise<BundleManifest> {
  const path = join(folder, bundleManifest);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size > maxManifestBytes)
    throw damaged(`${folder} has no ${bundleManifest}: the export was not completed, or this is another folder.`);
  let manifest: Partial<BundleManifest> | null;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as Partial<BundleManifest> | null; // Checked below.
  } catch (cause) {
    throw damaged('Its manifest cannot be parsed.', cause);
  }
  if (manifest?.format !== bundleFormat) throw damaged('Its manifest is not that of a bundle.');
  if (manifest.version !== bundleVersion) {
    const message = `The bundle has version ${String(manifest.version)}; this program reads version ${bundleVersion}.`;
    throw new ServiceError('refused', 'BUNDLE_VERSION', `${message} Export it again, or update Pacioli.`);
  }
  if (!isManifest(manifest)) throw damaged('Its manifest is not complete.');
  return manifest;
}

async function verify(folder: string, { file, bytes, sha256 }: BundleFile): Promise<void> {
  const found = await describeFile(folder, file).catch((cause: unknown) => {
    throw damaged(`${file} is missing or cannot be read.`, cause);
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw damaged(`${file} does not have the size and digest of its manifest.`);
}

async function writtenSchema(path: string): Promise<WrittenSchema> {
  let written: unknown;
  try {
    written = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw damaged('Its schema cannot be parsed.', cause);
  }
  // The digest proves nothing about the content: whoever changes the file can write a digest for it.
  if (!isWrittenSchema(written)) throw damaged('Its schema is not that of a graph.');
  return written;
}

function schemaOf({ nodes, relationships }: WrittenSchema): AnalyticalSchema {
  const key = (name: string): WrittenProperty | undefined =>
    nodes.find((node) => node.name === name)?.properties.find(({ is_primary_key }) => is_primary_key === true);
  const columns = (properties: readonly WrittenProperty[]) => properties.map(({ name, type }) => ({ name, type }));
  return {
    nodes: nodes.map((node) => ({
      kind: 'node',
      extension: 'custom',
      name: node.name,
      key: key(node.name)?.name ?? '',
      columns: columns(node.properties),
    })),
    relationships: relationships.map(({ name, from_node: from, to_node: to, properties }) => ({
      kind: 'relationship',
      extension: 'custom',
      name,
      from,
      to,
      columns: [
        { name: 'from', type: key(from)?.type ?? 'STRING' },
        { name: 'to', type: key(to)?.type ?? 'STRING' },
        ...columns(properties),
      ],
    })),
  };
}

function damaged(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('refused', 'BUNDLE_DAMAGED', `This is not a complete bundle. ${reason} Export it again.`, {
    cause,
  });
}
