import type { Store } from '@pacioli/core/ports';
import type { PreparedContent } from './prepared-content.ts';

/** A store of its own for one test or one file. */
export interface TestStore {
  readonly store: Store;
  /** Another store on the same data, as another process would have it; not with the embedded driver. */
  readonly openSecond?: (() => Promise<Store>) | undefined;
  dispose(): Promise<void>;
}

export interface TestStoreOptions {
  readonly maxStatementMs?: number;
  readonly maxConnections?: number;
  readonly maxLockMs?: number;
}

export interface StoreDriver {
  readonly name: 'embedded' | 'server';
  /** Transactions run beside each other; false when they run one after the other in one session. */
  readonly hasManySessions: boolean;
  /** A store with nothing in it, or with a copy of the content. */
  create(options?: TestStoreOptions, content?: PreparedContent): Promise<TestStore>;
  /** Stops what all stores of this driver share. Call it once, after the last `dispose`. */
  stop(): Promise<void>;
}
