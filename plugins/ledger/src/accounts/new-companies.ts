import type { InitialEntity, Transaction } from '@pacioli/core';

/** Creates the company that a new graph is about, for every domain whose records refer to it. */
export interface NewCompanies {
  /** Creates the primary entity with the layout of statements of its legal form; no-op for a graph that has one. */
  ensure(tx: Transaction, company: { readonly entity: InitialEntity | null; readonly now: Date }): Promise<void>;
}
