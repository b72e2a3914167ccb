export { type LocalFilesOptions, localFileStore } from './local-file-store.ts';
