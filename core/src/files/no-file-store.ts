import { type FileStore, FileStoreError } from '../store/file-store.ts';

const refuse = async (): Promise<never> => {
  throw new FileStoreError('unavailable', 'This deployment stores no files: its host passes no fileStore.');
};

/** The file store of a host that provides none: every call is refused. */
export const noFileStore: FileStore = {
  driver: 'none',
  write: refuse,
  read: refuse,
  info: refuse,
  remove: refuse,
  async *list() {
    yield await refuse();
  },
  uploadUrl: refuse,
  downloadUrl: refuse,
  probe: async () => false,
  close: async () => undefined,
};
