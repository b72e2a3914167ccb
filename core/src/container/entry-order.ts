import type { Contribution } from './provider.ts';

type Entry = Pick<Contribution, 'key' | 'before' | 'after'>;

/** The order of the entries of one collection, and the keys of those that must precede each other. */
interface EntryOrder<E extends Entry> {
  readonly ordered: readonly E[];
  /** Entries that cannot be ordered; empty for a set that assembly accepts. */
  readonly circle: readonly string[];
}

/**
 * Orders the entries of one collection by key, except where `before` and `after` say otherwise (platform X-16): the
 * smallest key of those whose predecessors are all there comes next.
 */
export function orderEntries<E extends Entry>(entries: readonly E[]): EntryOrder<E> {
  const waiting = new Map(
    [...entries].sort((a, b) => (a.key < b.key ? -1 : 1)).map((entry) => [entry.key, entry] as const),
  );
  const predecessors = predecessorsOf([...waiting.values()]);
  const ordered: E[] = [];
  for (;;) {
    const next = [...waiting.values()].find(({ key }) => {
      return ![...(predecessors.get(key) ?? [])].some((each) => waiting.has(each));
    });
    if (next === undefined) return { ordered: [...ordered, ...waiting.values()], circle: [...waiting.keys()] };
    waiting.delete(next.key);
    ordered.push(next);
  }
}

function predecessorsOf(entries: readonly Entry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>(entries.map(({ key }) => [key, new Set()]));
  for (const { key, before = [], after = [] } of entries) {
    for (const earlier of after) found.get(key)?.add(earlier);
    for (const later of before) found.get(later)?.add(key);
  }
  return found;
}
