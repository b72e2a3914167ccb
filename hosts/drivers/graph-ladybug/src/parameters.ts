import { GraphStoreError, type QueryParameters } from '@pacioli/core/ports';

/** The engine's binding time doubles with each level of nested lists. */
const maxNesting = 12;

/** The largest INT128. The engine rejects -(2^127), so the range is symmetric. */
const maxInteger = 2n ** 127n - 1n;

type Place = readonly (string | number)[];

/** The type that the engine will give a value. `unknown` is null, which takes the type of its neighbors in a list. */
type Shape =
  | { readonly kind: 'unknown' | 'boolean' | 'text' | 'integer' | 'wide' | 'number' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> };

/**
 * Returns the parameters in a form that the engine binds unchanged. Its binding infers a type from the first element
 * of a list, turns mixed lists into text and empty objects into null, and fails internally on others; these values
 * are rejected with their path (graphs Q-45a).
 */
export function bindable(parameters: QueryParameters): QueryParameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (value === null) return [name, null];
      const shape = shapeOf(value, [name]);
      requireKnown(shape, value, [name]);
      return [name, asBound(value, shape)];
    }),
  );
}

function shapeOf(value: unknown, place: Place): Shape {
  if (place.length > maxNesting) throw refused(place, `Is nested deeper than ${maxNesting} levels. Flatten it`);
  if (value === null) return { kind: 'unknown' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'string') return { kind: 'text' };
  if (typeof value === 'number') return { kind: Number.isSafeInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'bigint') {
    if (value <= maxInteger && value >= -maxInteger) return { kind: 'wide' };
    throw refused(place, 'Exceeds the largest integer of the graph, about 1.7e38. Send it as text');
  }
  return Array.isArray(value) ? listShape(value, place) : objectShape(value as object, place);
}

function listShape(list: readonly unknown[], place: Place): Shape {
  let of: Shape = { kind: 'unknown' };
  list.forEach((item, index) => {
    const shape = shapeOf(item, [...place, index]);
    // The engine widens integers to doubles only between the direct elements of one list.
    of =
      isNumber(of) && isNumber(shape) && of.kind !== shape.kind
        ? { kind: 'number' }
        : merged(of, shape, [...place, index]);
  });
  return { kind: 'list', of };
}

const isNumber = ({ kind }: Shape): boolean => kind === 'integer' || kind === 'number';

function objectShape(value: object, place: Place): Shape {
  const entries = Object.entries(value);
  if (entries.length === 0) throw refused(place, 'Is an empty object, for which the graph has no type. Omit it');
  return {
    kind: 'object',
    fields: new Map(
      entries.map(([name, content]) => {
        if (name === '__proto__' || /[(),]/.test(name))
          throw refused(
            [...place, name],
            'Has a name that the graph cannot store: use letters, digits and underscores',
          );
        return [name, shapeOf(content, [...place, name])];
      }),
    ),
  };
}

/** Merges the shapes of two elements of a list; throws when the second does not fit the first. */
function merged(left: Shape, right: Shape, place: Place): Shape {
  if (left.kind === 'unknown') return right;
  if (right.kind === 'unknown') return left;
  if (left.kind === 'list' && right.kind === 'list') return { kind: 'list', of: merged(left.of, right.of, place) };
  if (left.kind === 'object' && right.kind === 'object') return mergedObjects(left.fields, right.fields, place);
  if (left.kind === right.kind) return left;
  if ([left.kind, right.kind].every((kind) => kind === 'integer' || kind === 'wide')) return { kind: 'wide' };
  throw refused(place, 'Is of another type than the elements before it. Send a list whose elements are of one type');
}

function mergedObjects(left: ReadonlyMap<string, Shape>, right: ReadonlyMap<string, Shape>, place: Place): Shape {
  if (left.size !== right.size || ![...left.keys()].every((name) => right.has(name)))
    throw refused(place, 'Has other names than the objects before it. Give all objects of a list the same names');
  const fields = [...left].map(([name, shape]): [string, Shape] => {
    const other = right.get(name) ?? shape; // Both have the same names.
    return [name, merged(shape, other, [...place, name])];
  });
  return { kind: 'object', fields: new Map(fields) };
}

/** Rejects the first null or empty list whose type cannot be inferred. */
function requireKnown(shape: Shape, value: unknown, place: Place): void {
  if (shape.kind === 'unknown')
    throw refused(place, 'Is null inside a list or object, so its type is unknown. Omit it or give it a value');
  if (shape.kind === 'object') {
    const example = (Array.isArray(value) ? undefined : value) as Readonly<Record<string, unknown>> | null | undefined;
    for (const [name, field] of shape.fields) requireKnown(field, example?.[name], [...place, name]);
  }
  if (shape.kind !== 'list') return;
  const items = Array.isArray(value) ? value : [];
  if (shape.of.kind === 'unknown' && items.length === 0)
    throw refused(place, 'Is an empty list, so the type of its elements is unknown. Omit the condition');
  requireKnown(shape.of, items[0], [...place, 0]);
}

/** Gives all objects of a list the same key order and all integers the same width. */
function asBound(value: unknown, shape: Shape): unknown {
  if (value === null) return null;
  if (shape.kind === 'wide') return BigInt(value as number | bigint); // A shape is wide only where values are whole.
  if (shape.kind === 'list') return (value as readonly unknown[]).map((item) => asBound(item, shape.of));
  if (shape.kind !== 'object') return value;
  const record = value as Readonly<Record<string, unknown>>; // Its shape has been read from it.
  return Object.fromEntries([...shape.fields].map(([name, field]) => [name, asBound(record[name], field)]));
}

function refused(place: Place, message: string): GraphStoreError {
  return new GraphStoreError('parameter', message, { place });
}
