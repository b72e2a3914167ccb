import { addAbortSignal, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  type FileInfo,
  type FileStore,
  FileStoreError,
  isFileKey,
  type SignedUrlOptions,
  type WriteOptions,
} from '@pacioli/core/ports';
import { failureOf, isMissing } from './failures.ts';

export interface S3FilesOptions {
  readonly bucket: string;
  /** The keys begin with it and a slash, so that several deployments can share a bucket. */
  readonly prefix?: string;
  readonly region: string;
  /** The address of a store that is compatible with S3; without it, the one of AWS in the region. */
  readonly endpoint?: string;
  /** The address of the same store for clients, in signed URLs; without it, the endpoint. */
  readonly publicEndpoint?: string;
  /** True for a store whose buckets have no host names of their own: the bucket is the first segment of the path. */
  readonly isPathStyle?: boolean;
  /** Without them, the library looks for credentials in its environment: `AWS_…` variables, or the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The file store in a bucket of S3 or of a compatible store, whose URLs clients use directly. */
export function s3FileStore(options: S3FilesOptions): FileStore {
  if (options.prefix !== undefined && !isFileKey(options.prefix))
    throw new Error(`The prefix of the file store must be segments between slashes, not "${options.prefix}".`);
  return new S3FileStore(options);
}

const connectTimeoutMs = 5_000;
/** A connection on which nothing moves for so long is given up. */
const idleTimeoutMs = 60_000;
const maxAttempts = 3;
/** A write holds up to two parts in memory. */
const minPartBytes = 8 * 1024 * 1024;
const maxParts = 10_000;
const keysPerPage = 1_000;

class S3FileStore implements FileStore {
  readonly driver = 's3';
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;
  /** Signs with the address that clients use; it sends nothing. */
  readonly #signer: S3Client;

  constructor(options: S3FilesOptions) {
    const { endpoint, publicEndpoint = endpoint } = options;
    this.#bucket = options.bucket;
    this.#prefix = options.prefix === undefined ? '' : `${options.prefix}/`;
    this.#client = clientOf(options, endpoint);
    this.#signer = publicEndpoint === endpoint ? this.#client : clientOf(options, publicEndpoint);
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<FileInfo> {
    const object = this.#object(key);
    const taken = { bytes: 0 };
    const source = Readable.from(limited(chunks, options, taken), { objectMode: false });
    try {
      const upload = new Upload({
        client: this.#client,
        params: { ...object, Body: source, ContentType: options.contentType },
        partSize: Math.max(minPartBytes, Math.ceil(options.maxBytes / maxParts)),
        // With more, a part that cannot be stored is reported only when the others have read the whole source.
        queueSize: 1,
      });
      await upload.done();
    } catch (error) {
      throw failureOf(error, options.signal);
    } finally {
      // Ends the source also after a failure of the store, so that it removes what it holds.
      source.destroy();
    }
    // Not read back: a failure to do so would report a file as not stored that is.
    return { key, bytes: taken.bytes, modifiedAt: new Date() };
  }

  async read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const object = this.#object(key);
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(object), { abortSignal: signal });
      if (!(Body instanceof Readable)) throw new Error('The store has sent an object without content.');
      return chunksOf(Body, signal);
    } catch (error) {
      throw isMissing(error) ? missing(error) : failureOf(error, signal);
    }
  }

  async info(key: string): Promise<FileInfo | undefined> {
    const object = this.#object(key);
    try {
      const head = await this.#client.send(new HeadObjectCommand(object));
      return { key, bytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw failureOf(error);
    }
  }

  async remove(key: string): Promise<void> {
    const object = this.#object(key);
    try {
      await this.#client.send(new DeleteObjectCommand(object));
    } catch (error) {
      if (!isMissing(error)) throw failureOf(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<FileInfo> {
    const input = { Bucket: this.#bucket, Prefix: this.#prefix + prefix };
    try {
      // The store lists in the order of the bytes of keys, which consist of ASCII characters.
      for await (const page of paginateListObjectsV2({ client: this.#client, pageSize: keysPerPage }, input)) {
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          yield { key: Key.slice(this.#prefix.length), bytes: Size, modifiedAt: LastModified };
      }
    } catch (error) {
      throw failureOf(error);
    }
  }

  async uploadUrl(key: string, { contentType, expiresInSeconds }: SignedUrlOptions): Promise<string> {
    const command = new PutObjectCommand({ ...this.#object(key), ContentType: contentType });
    // Signed, so that the store refuses another content type (graphs F-3); the library leaves it out by itself.
    const signableHeaders = new Set(['content-type', 'host']);
    return getSignedUrl(this.#signer, command, { expiresIn: expiresInSeconds, signableHeaders }).catch(rethrow);
  }

  async downloadUrl(key: string, options: SignedUrlOptions & { readonly fileName: string }): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentType: options.contentType,
      ResponseContentDisposition: `attachment; filename="${options.fileName.replaceAll(/[^\w.-]/g, '_')}"`,
      ResponseCacheControl: 'no-store',
    });
    return getSignedUrl(this.#signer, command, { expiresIn: options.expiresInSeconds }).catch(rethrow);
  }

  async probe(): Promise<boolean> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
      return true;
    } catch {
      // Any reason means that files cannot be stored now.
      return false;
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
    this.#signer.destroy();
  }

  #object(key: string): { readonly Bucket: string; readonly Key: string } {
    if (!isFileKey(key)) throw new FileStoreError('invalid-key', 'This is not a valid key of a file.');
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

function clientOf(options: S3FilesOptions, endpoint: string | undefined): S3Client {
  return new S3Client({
    region: options.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    forcePathStyle: options.isPathStyle === true,
    maxAttempts,
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: idleTimeoutMs },
    // A checksum in a signed URL would be that of an empty body, and not every compatible store knows the newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Fails before the last part is sent when the source is too long or cancelled, so that the object never appears. */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: WriteOptions,
  taken: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    taken.bytes += chunk.byteLength;
    if (taken.bytes > maxBytes) throw new FileStoreError('too-large', `The file is longer than ${maxBytes} bytes.`);
    yield chunk;
  }
  signal.throwIfAborted();
}

async function* chunksOf(body: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of addAbortSignal(signal, body)) yield chunk as Uint8Array; // No encoding: bytes.
  } catch (error) {
    throw failureOf(error, signal);
  } finally {
    body.destroy();
  }
}

function missing(cause: unknown): FileStoreError {
  return new FileStoreError('missing', 'There is no file with this key.', { cause });
}

const rethrow = (error: unknown): never => {
  throw failureOf(error);
};
