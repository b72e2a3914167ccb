import type { RouteContext } from '@pacioli/core';
import { type Answer, codes, rpcError } from './json-rpc.ts';

/** The longest body of a request, in bytes (ai-surface M-2). */
export const maxMessageBytes = 1024 * 1024;

/** The addresses by which the service is known. */
export interface GateSettings {
  readonly allowedOrigins: readonly string[];
  readonly publicUrl: string;
}

type Headers = Pick<RouteContext, 'header' | 'ip' | 'origin' | 'serviceUrl'>;

/** Checks the headers of a request before its credentials (ai-surface M-2, ai-surface M-3); undefined if they may pass. */
export function refusedByHeaders(ctx: Headers, { allowedOrigins, publicUrl }: GateSettings): Answer | undefined {
  const origin = ctx.header('origin');
  if (!isHostAllowed(ctx, publicUrl)) return rpcError(403, codes.refused, 'Host not allowed');
  if (origin !== undefined && !isOriginAllowed(origin, ctx, allowedOrigins))
    return rpcError(403, codes.refused, 'Origin not allowed');
  const mediaType = (ctx.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') return rpcError(415, codes.refused, 'Content-Type must be application/json');
  if (Number(ctx.header('content-length') ?? 0) > maxMessageBytes) return tooLong();
  if (accepted(ctx, 'application/json') || accepted(ctx, 'text/event-stream')) return undefined;
  return rpcError(406, codes.refused, 'Accept must include application/json or text/event-stream');
}

/** The refusal of a body beyond the limit. */
export function tooLong(): Answer {
  return rpcError(413, codes.refused, `The body is longer than ${maxMessageBytes} bytes. Send less at a time.`);
}

/** True if the client takes this media type; a request without the header takes all. */
export function accepted(ctx: Pick<RouteContext, 'header'>, mediaType: string): boolean {
  const accept = ctx.header('accept');
  if (accept === undefined) return true;
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  return types.some((type) => type === mediaType || type === '*/*' || type === `${mediaType.split('/')[0]}/*`);
}

/** The host of the request was checked; a page that this machine serves by that name is of the service itself. */
function isOriginAllowed(origin: string, ctx: Headers, allowedOrigins: readonly string[]): boolean {
  if (origin === originOf(ctx.serviceUrl) || allowedOrigins.includes(origin)) return true;
  return isLoopback(ctx.origin) && origin === originOf(ctx.origin);
}

/** True for an address with a name of the loopback interface, which no one else can have. */
function isLoopback(address: string): boolean {
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * A browser that was led to this machine by a changed name keeps sending that name, so calls over the loopback address
 * must name it or the service (DNS rebinding).
 */
function isHostAllowed(ctx: Headers, publicUrl: string): boolean {
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(ctx.ip) || ctx.header('x-forwarded-for') !== undefined) return true;
  if (/^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/.test(ctx.origin)) return true;
  return isLoopback(ctx.origin) || ctx.origin === originOf(publicUrl);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
