import type { GraphValue } from '@pacioli/core/ports';
import type { PropertyTypes } from './exact-values.ts';

/**
 * A value whose nodes and relationships have the properties that their table declares. Where tables meet, as in a path,
 * the binding gives each of them the properties of all, and that of a union as a record of its member.
 */
export function withOwnProperties(value: GraphValue, types: PropertyTypes): GraphValue {
  const own = (each: GraphValue): GraphValue => withOwnProperties(each, types);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(own);
  // Only lists have no kind.
  const kinded = value as Exclude<typeof value, readonly GraphValue[]>;
  switch (kinded.valueKind) {
    case 'node':
    case 'relationship':
      return { ...kinded, properties: declared(kinded.properties, types.get(kinded.label)) };
    case 'path':
      return { ...kinded, nodes: kinded.nodes.map(own), relationships: kinded.relationships.map(own) };
    case 'record':
      return {
        ...kinded,
        fields: Object.fromEntries(Object.entries(kinded.fields).map(([name, of]) => [name, own(of)])),
      };
    case 'map':
      return { ...kinded, entries: kinded.entries.map(([key, of]) => [key, own(of)]) };
    default:
      return kinded;
  }
}

function declared(
  properties: Readonly<Record<string, GraphValue>>,
  types: ReadonlyMap<string, string> | undefined,
): Readonly<Record<string, GraphValue>> {
  if (types === undefined) return properties;
  const own: Record<string, GraphValue> = {};
  for (const [name, value] of Object.entries(properties)) {
    const type = types.get(name);
    if (type !== undefined) own[name] = type.startsWith('UNION(') ? memberOf(value) : value;
  }
  return own;
}

/** Without a type, the only field of a union was read as that of a record. */
function memberOf(value: GraphValue): GraphValue {
  if (value === null || typeof value !== 'object' || !('valueKind' in value) || value.valueKind !== 'record')
    return value;
  return Object.values(value.fields)[0] ?? null;
}
