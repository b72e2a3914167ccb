import type { Log } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import type { Store } from '../store/store.ts';
import { countInStore, exchangeWindows } from './shared-windows.ts';
import { addTo, countIn, type SlidingWindow, secondsUntilCapacity, slidingWindow } from './sliding-window.ts';

/** One limit that a call must pass. */
export interface RateCheck {
  /** Category and subject whose calls are counted together. */
  readonly bucket: string;
  readonly maxCalls: number;
  readonly seconds: number;
  /** The words in the refusal. */
  readonly label: string;
  readonly category: string;
  readonly tier: string;
  /** Refuses the call if the store is unavailable (sign-in), instead of allowing it (platform R-1). */
  readonly failsClosed: boolean;
}

/** The result of a check, for the response headers (platform R-8). */
export interface RateStanding {
  readonly check: RateCheck;
  readonly isAdmitted: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Limits up to this number are counted in the store for each call: they protect rare and costly calls. */
const maxCountedInStore = 20;
/** The time between the end of an exchange of counts and the next one, in milliseconds. */
const exchangeMs = 200;
/** The most buckets in memory; the oldest are evicted first, which only loses their local counts. */
const maxBuckets = 50_000;

interface Bucket {
  readonly window: SlidingWindow;
  /** Calls of this process that are not stored yet. */
  readonly unsent: Map<number, number>;
}

/**
 * Counts calls in sliding windows. High limits are checked in this process and exchanged with the others at most
 * five times a second, so that a call costs no round trip; low ones are checked in the store. A store that serves only one
 * process needs no exchange. See docs/decisions/0007-rate-limits-are-exchanged.md.
 */
export class RateLimiter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #isShared: boolean;
  readonly #buckets = new Map<string, Bucket>();
  readonly #dirty = new Set<string>();
  /** Set from the first call that is not stored yet until the exchange that stores it has ended. */
  #scheduled: NodeJS.Timeout | undefined;
  #exchange: Promise<void> | undefined;

  constructor(use: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#store = use.store;
    this.#clock = use.clock;
    this.#log = use.log;
    this.#isShared = use.store.driver !== 'embedded';
  }

  /** Counts one call against every check, or none if one is at its limit; the first result is the first check's. */
  async admit(checks: readonly RateCheck[]): Promise<readonly RateStanding[]> {
    const nowMs = this.#clock.now().getTime();
    const local = checks.filter((check) => !this.#isCountedInStore(check));
    const standings = local.map((check) => this.#look(check, nowMs));
    const refused = standings.find(({ isAdmitted }) => !isAdmitted);
    if (refused !== undefined) return [refused];
    const stored: RateStanding[] = [];
    for (const check of checks.filter((candidate) => this.#isCountedInStore(candidate))) {
      const standing = await this.#countStored(check, nowMs);
      if (!standing.isAdmitted) return [standing];
      stored.push(standing);
    }
    for (const check of local) this.#count(check, nowMs);
    return checks.flatMap((check) => [...standings, ...stored].filter((standing) => standing.check === check));
  }

  /** Sends the remaining counts and stops. */
  async close(): Promise<void> {
    clearTimeout(this.#scheduled);
    await this.#exchange;
    clearTimeout(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#dirty.size > 0) await this.#exchangeNow();
  }

  #isCountedInStore(check: RateCheck): boolean {
    return this.#isShared && check.maxCalls <= maxCountedInStore;
  }

  #look(check: RateCheck, nowMs: number): RateStanding {
    const { window } = this.#bucketOf(check);
    const used = countIn(window, nowMs);
    const isAdmitted = used < check.maxCalls;
    return {
      check,
      isAdmitted,
      remaining: Math.max(0, check.maxCalls - used - (isAdmitted ? 1 : 0)),
      resetSeconds: secondsUntilCapacity(window, nowMs),
    };
  }

  #count(check: RateCheck, nowMs: number): void {
    const bucket = this.#bucketOf(check);
    addTo(bucket.window, nowMs, 1);
    if (!this.#isShared) return;
    addTo({ seconds: check.seconds, slots: bucket.unsent }, nowMs, 1);
    this.#dirty.add(check.bucket);
    this.#scheduleExchange();
  }

  /** One exchange at a time: the answer of an earlier one would otherwise replace the counts that a later one brought. */
  #scheduleExchange(): void {
    this.#scheduled ??= setTimeout(() => {
      this.#exchange = this.#exchangeNow().then(() => {
        this.#scheduled = undefined;
        if (this.#dirty.size > 0) this.#scheduleExchange();
      });
    }, exchangeMs).unref();
  }

  #bucketOf(check: RateCheck): Bucket {
    const known = this.#buckets.get(check.bucket);
    if (known !== undefined) return known;
    if (this.#buckets.size >= maxBuckets) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    const made: Bucket = { window: slidingWindow(check.seconds), unsent: new Map() };
    this.#buckets.set(check.bucket, made);
    return made;
  }

  async #countStored(check: RateCheck, nowMs: number): Promise<RateStanding> {
    try {
      const { isAdmitted, slots } = await countInStore(this.#store, check, nowMs);
      const window = { seconds: check.seconds, slots: new Map([...slots].sort(([a], [b]) => a - b)) };
      const used = countIn(window, nowMs);
      return {
        check,
        isAdmitted,
        remaining: Math.max(0, check.maxCalls - used),
        resetSeconds: secondsUntilCapacity(window, nowMs),
      };
    } catch (error) {
      this.#log.warn('a rate limit could not be checked in the store', { category: check.category, error });
      if (check.failsClosed) {
        const message = 'Sign-in is not possible while the store cannot be reached. Retry in a few seconds.';
        throw new ServiceError('unavailable', 'SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '5' } });
      }
      return { check, isAdmitted: true, remaining: check.maxCalls, resetSeconds: check.seconds };
    }
  }

  async #exchangeNow(): Promise<void> {
    const sent = [...this.#dirty].flatMap((bucket) => {
      const known = this.#buckets.get(bucket);
      if (known === undefined) return [];
      const slots = new Map(known.unsent);
      known.unsent.clear();
      return [{ bucket, seconds: known.window.seconds, slots }];
    });
    this.#dirty.clear();
    try {
      const totals = await exchangeWindows(this.#store, sent, this.#clock.now().getTime());
      for (const { bucket, slots } of totals) this.#adopt(bucket, slots);
    } catch (error) {
      // Continues with the local counts; the calls are sent with the next exchange (platform R-1).
      this.#log.warn('rate limits could not be exchanged with the store', { error });
      for (const { bucket, slots } of sent) this.#keep(bucket, slots);
    }
  }

  /** Adopts the store's counts, plus the calls admitted here since they were requested. */
  #adopt(bucket: string, slots: ReadonlyMap<number, number>): void {
    const known = this.#buckets.get(bucket);
    if (known === undefined) return;
    known.window.slots.clear();
    for (const [slot, calls] of [...slots].sort(([a], [b]) => a - b)) known.window.slots.set(slot, calls);
    for (const [slot, calls] of known.unsent) {
      known.window.slots.set(slot, (known.window.slots.get(slot) ?? 0) + calls);
    }
  }

  #keep(bucket: string, slots: ReadonlyMap<number, number>): void {
    const known = this.#buckets.get(bucket);
    if (known === undefined) return;
    for (const [slot, calls] of slots) known.unsent.set(slot, (known.unsent.get(slot) ?? 0) + calls);
    this.#dirty.add(bucket);
  }
}
