import {
  fileTransfers,
  kernel,
  type RouteContext,
  requestFacts,
  securityAudit,
  type Transaction,
  type Use,
} from '@pacioli/core';
import { Type } from 'typebox';

/** The services that `grantDownload` uses. */
export const downloadServices = { store: kernel.store, transfers: fileTransfers, audit: securityAudit };

const defaultSeconds = 3_600;

/** The query field for how long a URL can be used, in seconds. */
export const expiresIn = Type.Optional(Type.Integer({ default: defaultSeconds, minimum: 300, maximum: 86_400 }));

interface DownloadRequest {
  readonly graphId: string;
  readonly expires_in: number | undefined;
  /** The method and path of the route, for the audit. */
  readonly endpoint: string;
  readonly risk: 'low' | 'medium';
  readonly details: Readonly<Record<string, unknown>>;
  /** Finds the file in the transaction that grants its download; throws if there is none. */
  find(
    tx: Transaction,
    now: Date,
  ): Promise<{ readonly key: string; readonly contentType: string; readonly fileName: string }>;
}

/**
 * Grants a URL of a stored file, and records who asked for it, because anyone with the URL can download (graphs B-10,
 * F-13).
 */
export async function grantDownload(
  { store, transfers, audit }: Use<typeof downloadServices>,
  ctx: RouteContext,
  { graphId, expires_in: expiresInSeconds = defaultSeconds, endpoint, risk, details, find }: DownloadRequest,
): Promise<{ readonly download_url: string; readonly expires_in: number; readonly expires_at: number }> {
  const now = ctx.now();
  const url = await store.transaction({ graphId }, async (tx) => {
    const file = await find(tx, now);
    const { userId } = ctx.caller;
    return transfers.downloadUrl(tx, { graphId, userId, ...file, expiresInSeconds, now, serviceUrl: ctx.serviceUrl });
  });
  const request = requestFacts(ctx, endpoint);
  audit.recordInBackground({ type: 'admin_action', risk, caller: ctx.caller, request, graphId, details });
  return {
    download_url: url,
    expires_in: expiresInSeconds,
    expires_at: Math.floor(now.getTime() / 1_000) + expiresInSeconds,
  };
}
