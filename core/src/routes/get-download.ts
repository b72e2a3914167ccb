import { defineRoute, type StreamAnswer } from '../define/route.ts';
import { notFound, ServiceError } from '../errors/service-error.ts';
import { fileErrors, fileFailure } from '../files/file-failure.ts';
import { fileTransfers } from '../files/file-transfers.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { isFileStoreError } from '../store/file-store.ts';
import { mayTransfer } from '../tenancy/transfer-access.ts';

export default defineRoute({
  name: 'get-download',
  path: 'GET /downloads/{token}',
  summary: 'Sends the file of a download that was granted; the token in the URL is the credential.',
  openapi: { id: 'get_download', tag: 'files' },
  category: null,
  limit: { maxCalls: 240, seconds: 60, per: 'ip' },
  auth: [],
  hidden: true,
  answers: { 200: null },
  fails: [403, 404, 429, 503],
  services: { transfers: fileTransfers, files: kernel.fileStore, store: kernel.store },
  errors: {
    DOWNLOAD_NOT_GRANTED: { kind: 'forbidden', meaning: 'The URL has expired, or its user lost the graph.' },
    ...fileErrors,
  },

  async handle({ params, ctx, use }): Promise<StreamAnswer> {
    const find = use.store.transaction('kernel', (tx) => use.transfers.find(tx, params.token), {
      readOnly: true,
    });
    const grant = await find;
    if (grant === undefined) throw notFound('There is no such download. Ask for a URL.');
    const isOpen = grant.direction === 'download' && grant.expires_at > ctx.now();
    if (!isOpen || !(await mayTransfer(use.store, grant, 'viewer'))) {
      const message = 'This download URL has expired, or its user cannot read the graph now. Ask for a new one.';
      throw new ServiceError('forbidden', 'DOWNLOAD_NOT_GRANTED', message);
    }
    const chunks = await use.files.read(grant.file_key, ctx.signal).catch((error: unknown) => {
      if (isFileStoreError(error) && error.code === 'missing')
        throw new ServiceError('not_found', 'NOT_FOUND', 'The file was removed.');
      throw fileFailure(error);
    });
    const info = await use.files.info(grant.file_key).catch((error: unknown) => {
      throw fileFailure(error);
    });
    return {
      kind: 'stream',
      status: 200,
      contentType: grant.content_type,
      headers: {
        'Content-Disposition': attachment(grant.file_name ?? 'file'),
        'Cache-Control': 'no-store',
        ...(info === undefined ? {} : { 'Content-Length': String(info.bytes) }),
      },
      chunks,
    };
  },
});

/** Names the file in ASCII, and for clients that know RFC 6266 (section 4.3) as it is. */
function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\w.-]/g, '_');
  const plain = `attachment; filename="${ascii}"`;
  if (ascii === name) return plain;
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
