import type { Store } from '@pacioli/core/ports';
import type { PreparedContent } from './prepared-content.ts';

/** A separate store for one test or one file. */
export interface TestStore {
  readonly store: Store;
  /** A second store on the same data, as another process would open it; not with the embedded driver. */
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
  /** True when transactions run concurrently; false when they run one after the other in one session. */
  readonly hasManySessions: boolean;
  /** Creates an empty store, or one with a copy of the content. */
  create(options?: TestStoreOptions, content?: PreparedContent): Promise<TestStore>;
  /** Stops the resources that all stores of this driver share. Call it once, after the last `dispose`. */
  stop(): Promise<void>;
}
