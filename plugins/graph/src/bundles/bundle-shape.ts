import type { BundleFile, BundleManifest, BundleTable } from './bundle.ts';

export interface WrittenProperty {
  readonly name: string;
  readonly type: string;
  readonly is_primary_key?: boolean;
}

/** The schema of a bundle as its file has it. */
export interface WrittenSchema {
  readonly nodes: readonly { readonly name: string; readonly properties: readonly WrittenProperty[] }[];
  readonly relationships: readonly {
    readonly name: string;
    readonly from_node: string;
    readonly to_node: string;
    readonly properties: readonly WrittenProperty[];
  }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The form of the names of tables (graphs CS-3), which become names of files. */
const tableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isTableName = (value: unknown): value is string => typeof value === 'string' && tableName.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

const isFile = (value: unknown): value is BundleFile =>
  isObject(value) &&
  typeof value['file'] === 'string' &&
  isCount(value['bytes']) &&
  typeof value['sha256'] === 'string';

const isTable = (value: unknown): value is BundleTable =>
  isObject(value) &&
  (value['kind'] === 'node' || value['kind'] === 'relationship') &&
  isTableName(value['name']) &&
  isCount(value['rows']) &&
  isFile(value);

/** True for a manifest of this version whose fields have the right types; its files are not read. */
export function isManifest(value: unknown): value is BundleManifest {
  if (!isObject(value)) return false;
  const areTexts = ['graph_id', 'graph_type', 'engine', 'exported_at'].every((name) => typeof value[name] === 'string');
  return areTexts && isFile(value['schema']) && isList(value['tables'], isTable);
}

const isProperty = (value: unknown): boolean =>
  isObject(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

const isNode = (value: unknown): boolean =>
  isObject(value) && isTableName(value['name']) && isList(value['properties'], isProperty);

const isRelationship = (value: unknown): boolean =>
  isNode(value) && isObject(value) && isTableName(value['from_node']) && isTableName(value['to_node']);

export function isWrittenSchema(value: unknown): value is WrittenSchema {
  return isObject(value) && isList(value['nodes'], isNode) && isList(value['relationships'], isRelationship);
}
