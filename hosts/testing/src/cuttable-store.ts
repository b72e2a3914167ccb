import { type Store, StoreError } from '@pacioli/core';

/** A store whose server can become unreachable. */
export interface CuttableStore extends Store {
  /** While true, every transaction fails as unreachable. */
  isOut: boolean;
}

/** Wraps a real store with a connection that a test can cut. */
export function cuttableStore(store: Store): CuttableStore {
  const line: CuttableStore = {
    isOut: false,
    driver: store.driver,
    transaction: async (scope, work, options) => {
      if (line.isOut) throw new StoreError('unreachable', 'The line is cut.');
      return store.transaction(scope, work, options);
    },
    migrate: (sets) => store.migrate(sets),
    pendingMigrations: (sets) => store.pendingMigrations(sets),
    removeGraph: (id, sets, signal) => store.removeGraph(id, sets, signal),
    listen: (channel, wake) => store.listen(channel, wake),
    notify: (channel, payload) => store.notify(channel, payload),
    health: () => store.health(),
    close: () => store.close(),
  };
  return line;
}
