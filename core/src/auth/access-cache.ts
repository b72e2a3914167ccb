import type { Clock } from '../services/kernel-tokens.ts';

/** Limits on the size and age of an access cache. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

/** Another process may honor a revoked right this much longer (platform A-4 allows 5 s). */
export const accessCacheBounds: CacheBounds = { maxEntries: 20_000, maxAgeMs: 2_000 };

/**
 * Caches access checks for a moment. A result whose read overlapped an invalidation is not cached, so a revoked
 * right is gone from this process at once.
 */
export class AccessCache<T> {
  readonly #clock: Clock;
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  #generation = 0;

  constructor(clock: Clock, bounds: CacheBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Returns the cached entry if it is usable, or reads and caches it; undefined is never cached. */
  async get(
    key: string,
    read: () => Promise<T | undefined>,
    isUsable: (value: T) => boolean = () => true,
  ): Promise<T | undefined> {
    const known = this.#entries.get(key);
    const now = this.#clock.now().getTime();
    if (known !== undefined && known.until > now && isUsable(known.value)) return known.value;
    const generation = this.#generation;
    const value = await read();
    this.#entries.delete(key);
    if (value !== undefined && generation === this.#generation) {
      this.#evict();
      this.#entries.set(key, { value, until: now + this.#bounds.maxAgeMs });
    }
    return value;
  }

  /** Evicts the entry of a key. */
  forgetKey(key: string): void {
    this.#generation += 1;
    this.#entries.delete(key);
  }

  /** Evicts the entries that match. */
  forget(matches: (value: T) => boolean): void {
    this.#generation += 1;
    for (const [key, entry] of this.#entries) {
      if (matches(entry.value)) this.#entries.delete(key);
    }
  }

  /** The number of cached entries. */
  get size(): number {
    return this.#entries.size;
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#bounds.maxEntries) return;
      this.#entries.delete(oldest);
    }
  }
}
