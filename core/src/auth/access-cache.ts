import type { Clock } from '../services/kernel-tokens.ts';

/** Bounds of a cache of rights. */
export interface CacheBounds {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

/**
 * Answers that may be a moment old. An answer that was read before something was forgotten is not kept:
 * whoever loses a right loses it in this process at once.
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

  /** The answer kept under the key, or the one that `read` gives now; undefined answers are not kept. */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#entries.get(key);
    const now = this.#clock.now().getTime();
    if (known !== undefined && known.until > now) return known.value;
    const generation = this.#generation;
    const value = await read();
    this.#entries.delete(key);
    if (value !== undefined && generation === this.#generation) {
      this.#evict();
      this.#entries.set(key, { value, until: now + this.#bounds.maxAgeMs });
    }
    return value;
  }

  /** Drops the answers that match. */
  forget(matches: (value: T) => boolean): void {
    this.#generation += 1;
    for (const [key, entry] of this.#entries) {
      if (matches(entry.value)) this.#entries.delete(key);
    }
  }

  /** How many answers are kept. */
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
