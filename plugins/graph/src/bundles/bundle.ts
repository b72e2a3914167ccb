import type { AnalyticalSchema } from '@pacioli/core';
import type { CatalogTable } from '@pacioli/core/ports';
import { definitionOf } from '../schema/index.ts';

/** A file of a bundle, as its manifest describes it. */
export interface BundleFile {
  /** Relative to the folder of the bundle. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BundleTable extends BundleFile {
  readonly kind: CatalogTable['kind'];
  readonly name: string;
  readonly rows: number;
}

/** Describes a bundle: it is written last, so that a bundle without one is not complete (graphs P-3). */
export interface BundleManifest {
  readonly format: 'pacioli-graph-bundle';
  readonly version: 1;
  readonly graph_id: string;
  readonly graph_type: string;
  /** The engine that the rows were read from; any engine can import them. */
  readonly engine: string;
  readonly exported_at: string;
  readonly schema: BundleFile;
  /** In the order in which they are loaded: nodes first. */
  readonly tables: readonly BundleTable[];
}

export const bundleFormat = 'pacioli-graph-bundle';
export const bundleVersion = 1;
export const bundleManifest = 'manifest.json';
export const bundleSchema = 'schema.json';

/** Only the names of tables, which have letters, digits and underscores, become names of files. */
export const fileOfTable = ({ kind, name }: Pick<CatalogTable, 'kind' | 'name'>): string =>
  `${kind === 'node' ? 'nodes' : 'relationships'}/${name}.parquet`;

/** The schema of a database as its engine describes it. */
export function schemaOfCatalog(tables: readonly CatalogTable[]): AnalyticalSchema {
  const keyType = (name: string | undefined): string => {
    const node = tables.find((table) => table.kind === 'node' && table.name === name);
    return node?.columns.find((column) => column.name === node.key)?.type ?? 'STRING';
  };
  const columnsOf = ({ columns }: CatalogTable) => columns.map(({ name, type }) => ({ name, type: canonical(type) }));
  const common = { extension: 'custom' };
  return {
    nodes: tables.flatMap((table) =>
      table.kind === 'node'
        ? [{ ...common, kind: 'node' as const, name: table.name, key: table.key ?? '', columns: columnsOf(table) }]
        : [],
    ),
    relationships: tables.flatMap((table) => {
      const { kind, name, from = '', to = '' } = table;
      if (kind !== 'relationship') return [];
      const ends = [
        { name: 'from', type: canonical(keyType(from)) },
        { name: 'to', type: canonical(keyType(to)) },
      ];
      return [{ ...common, kind, name, from, to, columns: [...ends, ...columnsOf(table)] }];
    }),
  };
}

/** Normalizes the spelling of a type, which differs between engines. */
const canonical = (type: string): string => type.replaceAll(/,\s+/g, ',').replaceAll(/\bBOOL\b/g, 'BOOLEAN');

interface ComparedTable {
  readonly name: string;
  readonly text: string;
}

/** The names of tables that are missing in one schema or differ in columns, types, keys or ends. */
export function differingTables(left: AnalyticalSchema, right: AnalyticalSchema): readonly string[] {
  const [ours, theirs] = [comparedTables(left), comparedTables(right)];
  const texts = new Map(theirs.map(({ name, text }) => [name, text]));
  const changed = ours.filter(({ name, text }) => texts.get(name) !== text).map(({ name }) => name);
  const missing = theirs.filter(({ name }) => !ours.some((table) => table.name === name)).map(({ name }) => name);
  return [...changed, ...missing].sort();
}

function comparedTables(schema: AnalyticalSchema): readonly ComparedTable[] {
  const { nodes, relationships } = definitionOf(schema);
  return [...nodes, ...relationships].map((table) => {
    const { name, from_node, to_node, properties } = table as {
      readonly name: string;
      readonly from_node?: string;
      readonly to_node?: string;
      readonly properties: readonly { readonly name: string; readonly type: string; readonly is_primary_key?: true }[];
    }; // As `definitionOf` writes it.
    const columns = properties.map((each) => [each.name, canonical(each.type), each.is_primary_key === true]);
    return { name, text: JSON.stringify([from_node, to_node, columns]) };
  });
}
