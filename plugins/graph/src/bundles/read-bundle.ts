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
import { describeFile } from './write-bundle.ts';

const maxManifestBytes = 4_000_000;

/** A bundle whose files have the sizes and digests of its manifest. */
export interface ReadBundle {
  readonly folder: string;
  readonly manifest: BundleManifest;
  readonly schema: AnalyticalSchema;
}

/** Reads a bundle and verifies all its files. Throws if one is missing or damaged, or if it is something else. */
export async function readBundle(folder: string): Promise<ReadBundle> {
  const manifest = await manifestOf(folder);
  const isOwn = ({ file }: BundleFile, expected: string): void => {
    // Also keeps a manifest from naming files elsewhere.
    if (file !== expected) throw damaged(`Its manifest names ${file.slice(0, 100)} instead of ${expected}.`);
  };
  isOwn(manifest.schema, bundleSchema);
  await verify(folder, manifest.schema);
  const schema = schemaOf(JSON.parse(await readFile(join(folder, bundleSchema), 'utf8')));
  const tables = [...schema.nodes, ...schema.relationships];
  if (tables.length !== manifest.tables.length) throw damaged('Its manifest and its schema have other tables.');
  for (const [index, listed] of manifest.tables.entries()) {
    const table = tables[index];
    if (table?.name !== listed.name || table.kind !== listed.kind)
      throw damaged('Its manifest and its schema have other tables.');
    isOwn(listed, fileOfTable(table));
    await verify(folder, listed);
  }
  return { folder, manifest, schema };
}

async function manifestOf(folder: string): Promise<BundleManifest> {
  const path = join(folder, bundleManifest);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size > maxManifestBytes)
    throw damaged(`${folder} has no ${bundleManifest}: the export was not completed, or this is another folder.`);
  let manifest: BundleManifest;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as BundleManifest; // What it says is verified below.
  } catch (cause) {
    throw damaged('Its manifest cannot be parsed.', cause);
  }
  if (manifest?.format !== bundleFormat) throw damaged('Its manifest is not that of a bundle.');
  if (manifest.version !== bundleVersion) {
    const message = `The bundle has version ${String(manifest.version)}; this program reads version ${bundleVersion}.`;
    throw new ServiceError('refused', 'BUNDLE_VERSION', `${message} Export it again, or use a newer program.`);
  }
  if (!Array.isArray(manifest.tables) || typeof manifest.schema?.file !== 'string')
    throw damaged('Its manifest is not complete.');
  return manifest;
}

async function verify(folder: string, { file, bytes, sha256 }: BundleFile): Promise<void> {
  const found = await describeFile(folder, file).catch((cause: unknown) => {
    throw damaged(`${file} is missing or cannot be read.`, cause);
  });
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw damaged(`${file} does not have the size and digest of its manifest.`);
}

interface WrittenProperty {
  readonly name: string;
  readonly type: string;
  readonly is_primary_key?: boolean;
}

interface WrittenSchema {
  readonly nodes: readonly { readonly name: string; readonly properties: readonly WrittenProperty[] }[];
  readonly relationships: readonly {
    readonly name: string;
    readonly from_node: string;
    readonly to_node: string;
    readonly properties: readonly WrittenProperty[];
  }[];
}

function schemaOf(written: unknown): AnalyticalSchema {
  const { nodes, relationships } = written as WrittenSchema; // Its digest is that of the manifest.
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
  return new ServiceError('refused', 'BUNDLE_DAMAGED', `This is not a complete bundle. ${reason}`, { cause });
}
