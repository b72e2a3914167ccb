import { defineRoute } from '../define/route.ts';
import { notFound, ServiceError } from '../errors/service-error.ts';
import { fileErrors, fileFailure } from '../files/file-failure.ts';
import { type FileTransfers, fileTransfers } from '../files/file-transfers.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type FileStore, isFileStoreError } from '../store/file-store.ts';
import type { Store } from '../store/store.ts';
import { mayTransfer } from '../tenancy/transfer-access.ts';

export default defineRoute({
  name: 'put-upload',
  path: 'PUT /uploads/{token}',
  summary: 'Takes the file of an upload that an operation has granted; the token in the URL is the credential.',
  openapi: { id: 'put_upload', tag: 'files' },
  category: null,
  limit: { maxCalls: 240, seconds: 60, per: 'ip' },
  auth: [],
  hidden: true,
  streamBody: true,
  answers: { 200: null },
  fails: [403, 404, 413, 415, 429, 503],
  services: { transfers: fileTransfers, files: kernel.fileStore, store: kernel.store },
  errors: {
    UPLOAD_NOT_GRANTED: { kind: 'forbidden', meaning: 'The URL has expired or was used, or its user lost the graph.' },
    PAYLOAD_TOO_LARGE: { kind: 'too_large', meaning: 'The file is longer than the grant allows.' },
    UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported_media_type', meaning: 'The grant is for another content type.' },
    ...fileErrors,
  },

  async handle({ params, ctx, use }) {
    const { store, transfers, files } = use;
    const grant = await store.transaction('kernel', (tx) => transfers.find(tx, params.token), {
      readOnly: true,
    });
    if (grant === undefined) throw notFound('There is no such upload. Ask for a URL.');
    const isOpen = grant.direction === 'upload' && grant.completed_at === null && grant.expires_at > ctx.now();
    if (!isOpen || grant.max_bytes === null || !(await mayTransfer(store, grant, 'member'))) throw notGranted();
    const [contentType] = (ctx.header('content-type') ?? '').split(';');
    if (contentType?.trim().toLowerCase() !== grant.content_type) {
      const message = `Send the file with the header Content-Type: ${grant.content_type}.`;
      throw new ServiceError('unsupported_media_type', 'UNSUPPORTED_MEDIA_TYPE', message);
    }
    const maxBytes = Number(grant.max_bytes);
    if (Number(ctx.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const writing = { maxBytes, contentType: grant.content_type, signal: ctx.signal };
    try {
      await files.write(grant.file_key, ctx.bodyStream(), writing);
    } catch (error) {
      if (isFileStoreError(error) && error.code === 'too-large') throw tooLarge(maxBytes);
      throw fileFailure(error);
    }
    if (await completed(use, params.token, grant.file_key, ctx.now())) return undefined;
    throw notGranted();
  },
});

/**
 * Completes the upload; false if another request did, or if its file was deleted meanwhile. Content that no row stands for
 * is removed; that of the other request stays.
 */
async function completed(
  { store, transfers, files }: { store: Store; transfers: FileTransfers; files: FileStore },
  token: string,
  key: string,
  now: Date,
): Promise<boolean> {
  let isKept = false;
  try {
    return await store.transaction('kernel', async (tx) => {
      const isCompleted = await transfers.complete(tx, token, now);
      isKept = isCompleted || (await transfers.find(tx, token)) !== undefined;
      return isCompleted;
    });
  } finally {
    // The sweep of files without a row removes what cannot be removed now.
    if (!isKept) await files.remove(key).catch(() => undefined);
  }
}

function notGranted(): ServiceError {
  const message =
    'This upload URL has expired, was used, or its user cannot write to the graph now. Ask for a new one.';
  return new ServiceError('forbidden', 'UPLOAD_NOT_GRANTED', message, { headers: { Connection: 'close' } });
}

function tooLarge(maxBytes: number): ServiceError {
  const message = `The file is longer than ${maxBytes} bytes. Split it.`;
  return new ServiceError('too_large', 'PAYLOAD_TOO_LARGE', message, { headers: { Connection: 'close' } });
}
