export { type S3FilesOptions, s3FileStore } from './s3-file-store.ts';
