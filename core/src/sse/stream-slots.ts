import { sql } from 'kysely';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelStreamSlot } from '../rows.gen.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { Store } from '../store/store.ts';

interface SlotParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The number and the lifetime of the slots of one purpose. */
interface SlotLimits {
  /** Streams of different purposes are counted apart. */
  readonly purpose: 'operation' | 'changes';
  readonly slotMs: number;
  readonly maxPerUser: number;
}

/**
 * Limits the open streams of a user across all processes (platform V-9). A slot is a lease that this process renews for
 * all its streams in one statement; the slots of a dead process expire.
 */
export class StreamSlots {
  readonly #parts: SlotParts;
  readonly #limits: SlotLimits;
  readonly #mine = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  constructor(parts: SlotParts, limits: SlotLimits) {
    this.#parts = parts;
    this.#limits = limits;
  }

  get size(): number {
    return this.#mine.size;
  }

  /** Takes a slot; throws 429 if the user is at the limit of streams. */
  async take(userId: string): Promise<string> {
    const id = this.#parts.ids.make('slot');
    const { purpose, slotMs, maxPerUser } = this.#limits;
    const now = this.#parts.clock.now();
    const taken = await this.#parts.store.transaction('kernel', async (tx) => {
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.stream.${userId}`}, 0))`);
      await tx.query(sql`DELETE FROM kernel_stream_slot WHERE user_id = ${userId} AND expires_at <= ${now}`);
      return tx.query(sql<Pick<KernelStreamSlot, 'id'>>`
        INSERT INTO kernel_stream_slot (id, user_id, purpose, expires_at)
        SELECT ${id}, ${userId}, ${purpose}, ${new Date(now.getTime() + slotMs)}
        WHERE (SELECT count(*) FROM kernel_stream_slot WHERE user_id = ${userId} AND purpose = ${purpose}) < ${maxPerUser}
        RETURNING id`);
    });
    if (taken.length === 0) {
      const message = `Too many concurrent SSE connections (limit: ${maxPerUser})`;
      throw new ServiceError('rate_limited', 'CONCURRENCY_LIMIT', message, { headers: { 'Retry-After': '5' } });
    }
    this.#mine.add(id);
    this.#timer ??= setInterval(() => {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    }, slotMs / 3).unref();
    return id;
  }

  /** Releases a slot. If that fails, its lease expires. */
  async give(id: string): Promise<void> {
    this.#mine.delete(id);
    await this.#parts.store
      .transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_stream_slot WHERE id = ${id}`))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const until = new Date(this.#parts.clock.now().getTime() + this.#limits.slotMs);
    await this.#parts.store
      .transaction('kernel', (tx) =>
        tx.query(sql`UPDATE kernel_stream_slot SET expires_at = ${until} WHERE id = ANY (${[...this.#mine]}::text[])`),
      )
      .catch(() => undefined); // Retried by the next turn, before the leases expire.
  }
}
