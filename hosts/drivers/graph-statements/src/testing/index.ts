export { describeGraphStore, type GraphStoreUnderTest } from './describe-graph-store.ts';
export { ask, batches, build, Company, company, heavy, loading, Owns, running, schema } from './graph-fixtures.ts';
