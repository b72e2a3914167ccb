export { describeGraphStore, type GraphStoreUnderTest } from './describe-graph-store.ts';
export {
  ask,
  batches,
  build,
  Company,
  codeOf,
  company,
  heavy,
  loading,
  Owns,
  running,
  schema,
} from './graph-fixtures.ts';
