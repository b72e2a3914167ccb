import { storableJson } from '../store/storable.ts';

/** The most ids of a result that an audit row stores. */
const maxIds = 50;
const maxNesting = 3;

/**
 * Collects the ids of the rows that a write touched from its result: every `id` and `…_id`, except `external_id`, the id
 * in another system, and those in metadata and provenance, which repeat what the caller sent (platform N-31).
 */
export function touchedIds(result: unknown): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Set<string>>();
  collect(result, 0, found);
  return Object.fromEntries([...found].map(([name, ids]) => [name, [...ids]]));
}

/** The touched ids as JSON for a column; null if there are none. */
export function touchedJson(result: unknown): string | null {
  const ids = touchedIds(result);
  return Object.keys(ids).length === 0 ? null : storableJson(ids);
}

function collect(value: unknown, depth: number, found: Map<string, Set<string>>): void {
  if (typeof value !== 'object' || value === null || depth > maxNesting) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, maxIds)) collect(item, depth + 1, found);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    if (name === 'metadata' || name === 'provenance') continue;
    if (typeof field !== 'string') collect(field, depth + 1, found);
    else if (isOwnId(name) && total(found) < maxIds) {
      found.set(name, (found.get(name) ?? new Set()).add(field));
    }
  }
}

function isOwnId(name: string): boolean {
  return name === 'id' || (name.endsWith('_id') && name !== 'external_id');
}

function total(found: ReadonlyMap<string, ReadonlySet<string>>): number {
  return [...found.values()].reduce((sum, ids) => sum + ids.size, 0);
}
