import { sql } from 'kysely';
import { contribute } from '../container/provider.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { healthChecks } from '../services/status.ts';
import { dropShortLived, putShortLived } from '../store/short-lived.ts';
import type { Store } from '../store/store.ts';

const kind = 'worker-heartbeat';
/** A worker without a heartbeat for this long counts as dead. */
const heartbeatSeconds = 30;
const beatMs = 10_000;

/** Reports periodically that a worker is alive, for the status of the deployment. */
export class Heartbeat {
  readonly #store: Store;
  readonly #owner: string;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Does nothing if the last heartbeat is recent. */
  async beat(now: Date): Promise<void> {
    if (now.getTime() - this.#lastMs < beatMs) return;
    this.#lastMs = now.getTime();
    const until = new Date(now.getTime() + heartbeatSeconds * 1000);
    await this.#store.transaction('kernel', (tx) => putShortLived(tx, { kind, key: this.#owner }, {}, until));
  }

  async stop(): Promise<void> {
    await this.#store.transaction('kernel', (tx) => dropShortLived(tx, { kind, key: this.#owner }));
  }
}

/** Checks that a worker is alive; without one, queued operations wait and everything else works (platform H-1). */
export const workerCheck = contribute(healthChecks, 'worker', {
  services: { store: kernel.store, clock: kernel.clock },
  create: ({ store, clock }) => ({
    essential: false,
    run: async () => {
      const alive = await store.transaction(
        'kernel',
        (tx) =>
          tx.query(
            sql`SELECT 1 AS alive FROM kernel_short_lived WHERE kind = ${kind} AND expires_at > ${clock.now()} LIMIT 1`,
          ),
        { readOnly: true },
      );
      return alive.length > 0;
    },
  }),
});
