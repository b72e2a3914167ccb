export { type DuckdbStagingOptions, duckdbStagingStore } from './duckdb-staging-store.ts';
