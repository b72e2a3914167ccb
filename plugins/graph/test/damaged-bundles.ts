import { createHash } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Damage to a bundle, with the code of its refusal. */
export const damages: readonly [string, string, (path: string) => Promise<unknown>][] = [
  ['without a manifest', 'BUNDLE_DAMAGED', (path) => rm(join(path, 'manifest.json'))],
  ['without a table', 'BUNDLE_DAMAGED', (path) => rm(join(path, 'nodes/Berth.parquet'))],
  ['with a changed table', 'BUNDLE_DAMAGED', (path) => overwrite(join(path, 'nodes/Vessel.parquet'))],
  ['with a changed schema', 'BUNDLE_DAMAGED', (path) => overwrite(join(path, 'schema.json'))],
  ['of another version', 'BUNDLE_VERSION', (path) => edit(path, (manifest) => ({ ...manifest, version: 2 }))],
  [
    'with a file elsewhere',
    'BUNDLE_DAMAGED',
    (path) => edit(path, (manifest) => ({ ...manifest, tables: [{ ...manifest.tables[0], file: '../x' }] })),
  ],
  ['with no object as its schema', 'BUNDLE_DAMAGED', (path) => replaceSchema(path, 'null')],
  ['with another list as its schema', 'BUNDLE_DAMAGED', (path) => replaceSchema(path, '{"nodes":[{"name":7}]}')],
  ['with a schema that is not JSON', 'BUNDLE_DAMAGED', (path) => replaceSchema(path, '{')],
  [
    'with a table of a path as its name',
    'BUNDLE_DAMAGED',
    (path) => replaceSchema(path, '{"nodes":[{"name":"../../x","properties":[]}],"relationships":[]}'),
  ],
  [
    'with a schema of more than 16 MB',
    'BUNDLE_DAMAGED',
    (path) => replaceSchema(path, `{"nodes":[],"relationships":[]}${' '.repeat(16_000_000)}`),
  ],
  ['with null as a table', 'BUNDLE_DAMAGED', (path) => edit(path, (manifest) => ({ ...manifest, tables: [null] }))],
  [
    'with a path as the name of a table',
    'BUNDLE_DAMAGED',
    (path) =>
      edit(path, ({ tables, ...rest }) => ({
        ...rest,
        tables: tables.map((each) => ({ ...each, name: '../../x' })),
      })),
  ],
  ['with a cut table and its digest', 'BUNDLE_NOT_IMPORTED', cutWithDigest],
  [
    'with another number of rows',
    'BUNDLE_NOT_IMPORTED',
    (path) => edit(path, ({ tables, ...rest }) => ({ ...rest, tables: tables.map((each) => ({ ...each, rows: 5 })) })),
  ],
];

/** Replaces the schema, with its digest in the manifest. */
async function replaceSchema(path: string, content: string): Promise<void> {
  await writeFile(join(path, 'schema.json'), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const bytes = Buffer.byteLength(content);
  await edit(path, (manifest) => ({ ...manifest, schema: { file: 'schema.json', bytes, sha256 } }));
}

interface Written {
  readonly version: number;
  readonly tables: readonly { readonly name: string; readonly file: string; readonly rows: number }[];
}

async function edit(path: string, change: (manifest: Written) => object): Promise<void> {
  const file = join(path, 'manifest.json');
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
}

/** Changes a byte in the middle. */
async function overwrite(file: string): Promise<void> {
  const content = await readFile(file);
  content.writeUInt8(content.readUInt8(content.length >> 1) ^ 1, content.length >> 1);
  await writeFile(file, content);
}

async function cutWithDigest(path: string): Promise<void> {
  const name = 'nodes/Berth.parquet';
  await truncate(join(path, name), 500);
  const sha256 = createHash('sha256')
    .update(await readFile(join(path, name)))
    .digest('hex');
  await edit(path, ({ tables, ...rest }) => ({
    ...rest,
    tables: tables.map((each) => (each.file === name ? { ...each, bytes: 500, sha256 } : each)),
  }));
}
