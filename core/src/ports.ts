/** The entry point for drivers. */
export type { Log } from './define/context.ts';
export { parseUrl } from './schema/parse-url.ts';
export * from './store/analytical.ts';
export * from './store/embedder.ts';
export * from './store/file-store.ts';
export * from './store/graph-databases.ts';
export * from './store/graph-store.ts';
export * from './store/graph-values.ts';
export * from './store/language-model.ts';
export { rejectsText } from './store/load-rejects.ts';
export { type MaskedStatement, maskStatement } from './store/mask-statement.ts';
export * from './store/search-index.ts';
export {
  maxQueryTerms,
  type PlacedTerm,
  placedTerms,
  queryTerms,
  searchTerms,
  termCount,
} from './store/search-terms.ts';
export * from './store/staging-store.ts';
export { bracketDepth, closingBracket, splitAtCommas } from './store/statement-brackets.ts';
export {
  type AppliedMigration,
  type MigrationSet,
  type Scope,
  type Store,
  StoreError,
  type StoreHealth,
  type TableAccess,
  type TableDeclarations,
  type Transaction,
  type TransactionOptions,
} from './store/store.ts';
export { Turns } from './store/turns.ts';
