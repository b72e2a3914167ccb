import { StagingError, type StagingStore } from '../store/staging-store.ts';

const refuse = async (): Promise<never> => {
  throw new StagingError('unavailable', 'This deployment stages no rows: its host passes no stagingStore.');
};

/** The staging store of a host that provides none: every call is refused. */
export const noStagingStore: StagingStore = {
  driver: 'none',
  withUpload: refuse,
  stage: refuse,
  settle: refuse,
  unstage: refuse,
  check: refuse,
  withParquet: refuse,
  withRows: refuse,
  writeParquet: refuse,
  checkParquet: refuse,
  readParquet: refuse,
  query: refuse,
  queryRows: refuse,
  drop: async () => undefined,
  sizes: async () => [],
  close: async () => undefined,
};
