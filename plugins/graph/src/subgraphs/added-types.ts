import { type SchemaDefinition, ServiceError } from '@pacioli/core';

/** The types that a property of an added table may have. JSON is kept as its text (graphs SG-14). */
export const propertyTypes = ['STRING', 'INT64', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP', 'JSON'] as const;

export interface GivenProperty {
  readonly name: string;
  readonly type: (typeof propertyTypes)[number];
}

/** A type of nodes or relationships that is added to a subgraph, as a definition declares it. */
export interface AddedType {
  readonly list: 'nodes' | 'relationships';
  readonly type: SchemaDefinition & { readonly name: string };
}

export function addedNode(given: {
  readonly name: string;
  readonly properties: readonly GivenProperty[];
  readonly primary_key: string;
}): AddedType {
  const properties = given.properties.map((property) => ({
    ...storedProperty(property),
    ...(property.name === given.primary_key ? { is_primary_key: true } : {}),
  }));
  return { list: 'nodes', type: { name: given.name, properties } };
}

export function addedRelationship(given: {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly properties?: readonly GivenProperty[];
}): AddedType {
  const properties = (given.properties ?? []).map(storedProperty);
  return { list: 'relationships', type: { name: given.name, from_node: given.from, to_node: given.to, properties } };
}

const storedProperty = ({ name, type }: GivenProperty) => ({ name, type: type === 'JSON' ? 'STRING' : type });

/**
 * The definition with the type; undefined if it has the same one already. Throws 409 for another type of the name, in
 * any letter case, because engines do not tell them apart.
 */
export function withType(declared: SchemaDefinition, { list, type }: AddedType): SchemaDefinition | undefined {
  const present = typesIn(declared, 'nodes')
    .concat(typesIn(declared, 'relationships'))
    .find(({ name }) => String(name).toLowerCase() === type.name.toLowerCase());
  if (present === undefined) return { ...declared, [list]: [...typesIn(declared, list), type] };
  if (typesIn(declared, list).includes(present) && formOf(present) === formOf(type)) return undefined;
  const message =
    `The subgraph has another table '${String(present['name'])}'. A table does not change: choose another name, or ` +
    'read get-graph-schema and use it as it is.';
  throw new ServiceError('conflict', 'TABLE_EXISTS', message);
}

const typesIn = (declared: SchemaDefinition, list: AddedType['list']): SchemaDefinition[] =>
  (declared[list] ?? []) as SchemaDefinition[]; // Checked when it was declared.

/** Equal for types that make the same table; the order of properties does not matter. */
function formOf(type: SchemaDefinition): string {
  const properties = (type['properties'] ?? []) as readonly SchemaDefinition[]; // Checked when it was declared.
  const columns = properties.map(({ name, type: of, is_primary_key: isKey }) => [name, of, isKey === true]).sort();
  return JSON.stringify([type['name'], type['from_node'], type['to_node'], columns]);
}
