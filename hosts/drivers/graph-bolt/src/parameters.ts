import { GraphStoreError, type QueryParameters } from '@pacioli/core/ports';

const maxInteger = 2n ** 63n - 1n;
const minInteger = -(2n ** 63n);
const maxNesting = 50;

type Place = readonly (string | number)[];

/** The parameters that a statement uses, in a form that the server binds unchanged (graphs Q-2, Q-45a). */
export function boundParameters(masked: string, parameters: QueryParameters): Readonly<Record<string, unknown>> {
  const names = new Set([...masked.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name = '']) => name));
  const bound: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(parameters, name))
      throw new GraphStoreError('parameter', `The parameter $${name} was not given.`);
    bound[name] = boundValue(parameters[name], [name]);
  }
  return bound;
}

/** JSON has one kind of number. Whole ones are integers here, because the driver would send them as floats. */
function boundValue(value: unknown, place: Place): unknown {
  if (place.length > maxNesting) throw refused(place, `Is nested deeper than ${maxNesting} levels. Flatten it`);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'bigint') {
    if (value >= minInteger && value <= maxInteger) return value;
    throw refused(place, 'Exceeds the largest integer of the graph, about 9.2e18. Send it as text');
  }
  if (Array.isArray(value)) return value.map((item, index) => boundValue(item, [...place, index]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [name, boundValue(content, [...place, name])]),
  );
}

function refused(place: Place, message: string): GraphStoreError {
  return new GraphStoreError('parameter', message, { place });
}
