/**
 * Adds fields to the answer of a query that are read only when a caller selects them, each at most once. GraphQL awaits
 * the promise behind a field, so the type is that of the awaited answer.
 */
export function lazyFields<Known extends object, Lazy extends object>(
  known: Known,
  reads: { readonly [Name in keyof Lazy]: () => Promise<Lazy[Name]> },
): Known & Lazy {
  const fields: PropertyDescriptorMap = {};
  for (const [name, read] of Object.entries<() => Promise<unknown>>(reads)) {
    let begun: Promise<unknown> | undefined;
    fields[name] = {
      enumerable: true,
      get: () => {
        begun ??= read();
        return begun;
      },
    };
  }
  return Object.defineProperties({ ...known }, fields) as Known & Lazy; // A property for each name of `reads`.
}
