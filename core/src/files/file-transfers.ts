import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { KernelFileTransfer } from '../rows.gen.ts';
import { sha256 } from '../schema/canonical.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { FileStore } from '../store/file-store.ts';
import type { Transaction } from '../store/store.ts';
import { fileFailure } from './file-failure.ts';

/** A file that a client may transfer by a URL, without a credential, until it expires. */
interface TransferOptions {
  readonly graphId: string;
  /** The user who asks. The service takes the URL only while this user has the graph. */
  readonly userId: string;
  readonly key: string;
  readonly contentType: string;
  readonly expiresInSeconds: number;
  readonly now: Date;
  /** The address of this service for the client: `ctx.serviceUrl`. */
  readonly serviceUrl: string;
}

/** A download whose URL is known before it is granted. */
export interface PromisedDownload {
  readonly url: string;
  readonly grant?: (tx: Transaction) => Promise<void>;
}

const transferColumns = columnsOf<KernelFileTransfer>()(
  'graph_id',
  'user_id',
  'direction',
  'file_key',
  'content_type',
  'max_bytes',
  'file_name',
  'expires_at',
  'completed_at',
);

export type TransferRow = RowOf<typeof transferColumns>;

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * Grants clients the transfer of single files: by the file store’s own URLs if it has an address, and else through this
 * service. The URLs are secrets until they expire.
 */
export class FileTransfers {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /**
   * The URL to which the client puts the file with this content type. The service takes it once, and only while the user
   * may write to the graph (graphs F-3).
   */
  async uploadUrl(tx: Transaction, options: TransferOptions & { readonly maxBytes: number }): Promise<string> {
    const { key, contentType, expiresInSeconds, maxBytes } = options;
    const direct = await this.#files.uploadUrl(key, { contentType, expiresInSeconds }).catch(rethrow);
    if (direct !== undefined) return direct;
    const token = newToken();
    await insertGrant(tx, { direction: 'upload', token }, options, { maxBytes, fileName: null });
    return urlOf('upload', token, options);
  }

  /**
   * The URL from which the client gets the file as an attachment of this name. The service sends it while the user may
   * read the graph (graphs F-13).
   */
  async downloadUrl(tx: Transaction, options: TransferOptions & { readonly fileName: string }): Promise<string> {
    const { url, grant } = await this.promiseDownload(options);
    await grant?.(tx);
    return url;
  }

  /**
   * The URL of a download that is promised before it is granted: until `grant` is committed it answers 404. Without
   * `grant` the URL is the file store’s own.
   */
  async promiseDownload(options: TransferOptions & { readonly fileName: string }): Promise<PromisedDownload> {
    const { key, contentType, expiresInSeconds, fileName } = options;
    const direct = await this.#files.downloadUrl(key, { contentType, expiresInSeconds, fileName }).catch(rethrow);
    if (direct !== undefined) return { url: direct };
    const token = newToken();
    const terms = { maxBytes: null, fileName };
    return {
      url: urlOf('download', token, options),
      grant: (tx) => insertGrant(tx, { direction: 'download', token }, options, terms),
    };
  }

  /** Finds the grant of a token, which may have expired. In a kernel transaction. */
  async find(tx: Transaction, token: string): Promise<TransferRow | undefined> {
    if (!tokenForm.test(token)) return undefined;
    const [row] = await tx.query(sql<TransferRow>`SELECT ${transferColumns} FROM kernel_file_transfer
      WHERE token_hash = decode(${sha256(token)}, 'hex')`);
    return row;
  }

  /** Ends the grant of an upload; false if another request has completed it. In a kernel transaction. */
  async complete(tx: Transaction, token: string, now: Date): Promise<boolean> {
    const rows = await tx.query(sql`UPDATE kernel_file_transfer SET completed_at = ${now}
      WHERE token_hash = decode(${sha256(token)}, 'hex') AND completed_at IS NULL RETURNING 1 AS done`);
    return rows.length === 1;
  }

  /** Ends the grants to upload a file that is being removed. In a transaction of its graph. */
  async revokeUploads(tx: Transaction, key: string): Promise<void> {
    await tx.query(sql`DELETE FROM kernel_file_transfer
      WHERE graph_id = ${tx.graphId} AND file_key = ${key} AND direction = 'upload' AND completed_at IS NULL`);
  }
}

interface GrantTerms {
  readonly maxBytes: number | null;
  readonly fileName: string | null;
}

async function insertGrant(
  tx: Transaction,
  { direction, token }: { readonly direction: KernelFileTransfer['direction']; readonly token: string },
  { graphId, userId, key, contentType, expiresInSeconds, now }: TransferOptions,
  { maxBytes, fileName }: GrantTerms,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1_000);
  await tx.query(sql`INSERT INTO kernel_file_transfer
    (token_hash, graph_id, user_id, direction, file_key, content_type, max_bytes, file_name, expires_at)
    VALUES (decode(${sha256(token)}, 'hex'), ${graphId}, ${userId}, ${direction}, ${key}, ${contentType}, ${maxBytes},
      ${fileName}, ${expiresAt})`);
}

function urlOf(
  direction: KernelFileTransfer['direction'],
  token: string,
  { serviceUrl }: Pick<TransferOptions, 'serviceUrl'>,
): string {
  return `${serviceUrl}/${direction}s/${token}`;
}

const newToken = (): string => randomBytes(tokenBytes).toString('base64url');

const rethrow = (error: unknown): never => {
  throw fileFailure(error);
};

export const fileTransfers: Token<FileTransfers> = createToken('kernel.file-transfers');
