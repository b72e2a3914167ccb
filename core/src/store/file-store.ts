/** A stored file without its content. */
export interface FileInfo {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

export interface WriteOptions {
  /** A longer source fails with `too-large`, and nothing is stored. */
  readonly maxBytes: number;
  readonly contentType: string;
  readonly signal: AbortSignal;
}

/** A URL that a client can use without a credential until it expires. */
export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  readonly contentType: string;
}

/**
 * Stores files by key: uploads, backups and other content too large for rows. Keys are segments of letters, digits and
 * `._-` between slashes, at most 512 characters, without a segment `.` or `..`; the caller puts the graph's id into the
 * key. A file is visible only when it is complete and durable.
 */
export interface FileStore {
  readonly driver: string;
  /** Stores the chunks under a key, replacing what was there. Failing leaves what was there. */
  write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<FileInfo>;
  /** Streams a file; fails with `missing` before the first chunk. */
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined if there is no such file. */
  info(key: string): Promise<FileInfo | undefined>;
  /** Removing a missing file succeeds. */
  remove(key: string): Promise<void>;
  /** Lists the files whose key begins with the prefix, in the order of their keys. */
  list(prefix: string): AsyncIterable<FileInfo>;
  /**
   * The URL of the store itself to which a client can PUT the file; undefined if the store has no address of its own,
   * so that the service must take the upload.
   */
  uploadUrl(key: string, options: SignedUrlOptions): Promise<string | undefined>;
  /** The URL of the store itself from which a client can GET the file as an attachment with this name, or undefined. */
  downloadUrl(key: string, options: SignedUrlOptions & { readonly fileName: string }): Promise<string | undefined>;
  /** False if the store cannot be reached. */
  probe(): Promise<boolean>;
  close(): Promise<void>;
}

export type FileStoreErrorCode = 'invalid-key' | 'missing' | 'too-large' | 'cancelled' | 'unavailable';

const mark = Symbol.for('pacioli.file-store-error');

/** A classified failure of the file store. Messages are for callers: no path, host or credential. */
export class FileStoreError extends Error {
  readonly code: FileStoreErrorCode;

  constructor(code: FileStoreErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'FileStoreError';
    this.code = code;
    Object.defineProperty(this, mark, { value: true });
  }
}

/** Recognizes a FileStoreError even if two copies of the package are installed. */
export function isFileStoreError(error: unknown): error is FileStoreError {
  return typeof error === 'object' && error !== null && mark in error;
}

/** True for a key that every file store accepts. */
export function isFileKey(key: string): boolean {
  return (
    key.length <= maxKeyCharacters &&
    key.split('/').every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== '.' && part !== '..')
  );
}

const maxKeyCharacters = 512;
