import type { RouteContext } from '@pacioli/core';
import { type Answer, codes, rpcError } from './json-rpc.ts';

/** The longest body of a request, in bytes (ai-surface M-2). */
export const maxMessageBytes = 1024 * 1024;

/** The origins whose pages may use the endpoints. */
export interface GateSettings {
  readonly allowedOrigins: readonly string[];
  readonly publicUrl: string;
}

/** The message for a host that `isHostAllowed` refuses. */
export const hostNotAllowed = 'Host not allowed. Call the service by its public URL or by localhost.';

/** The parts of a request that its gate checks. */
export type GateContext = Pick<RouteContext, 'header' | 'ip' | 'origin'>;

/** Checks the headers of a request before its credentials (ai-surface M-2, M-3). Returns undefined if they are accepted. */
export function refusedByHeaders(ctx: GateContext, settings: GateSettings): Answer | undefined {
  const origin = ctx.header('origin');
  if (!isHostAllowed(ctx, settings.publicUrl)) return rpcError(403, codes.refused, hostNotAllowed);
  if (origin !== undefined && !isOriginAllowed(origin, ctx, settings))
    return rpcError(403, codes.refused, 'Origin not allowed');
  const mediaType = (ctx.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') return rpcError(415, codes.refused, 'Content-Type must be application/json');
  if (Number(ctx.header('content-length') ?? 0) > maxMessageBytes) return tooLong();
  if (accepted(ctx, 'application/json') || accepted(ctx, 'text/event-stream')) return undefined;
  return rpcError(406, codes.refused, 'Accept must include application/json or text/event-stream');
}

/** The refusal of a body that is longer than the limit. */
export function tooLong(): Answer {
  return rpcError(413, codes.refused, `The body is longer than ${maxMessageBytes} bytes. Send less at a time.`);
}

/** True if the client accepts this media type; a request without the header accepts all. */
export function accepted(ctx: Pick<RouteContext, 'header'>, mediaType: string): boolean {
  const accept = ctx.header('accept');
  if (accept === undefined) return true;
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  return types.some((type) => type === mediaType || type === '*/*' || type === `${mediaType.split('/')[0]}/*`);
}

/** The configured origins, that of the public URL, and that of the request's own host if it is a loopback name. */
function isOriginAllowed(origin: string, ctx: GateContext, { allowedOrigins, publicUrl }: GateSettings): boolean {
  if (allowedOrigins.includes(origin) || origin === originOf(publicUrl)) return true;
  return isLoopback(ctx.origin) && origin === originOf(ctx.origin);
}

/** True for a URL with a loopback name as its host, whose pages only this machine can serve. */
function isLoopback(url: string): boolean {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Refuses a name that was pointed at this machine (DNS rebinding): a browser keeps sending that name, so a request over
 * the loopback interface must name it or the public URL. A reverse proxy on this machine may keep any name. A page can
 * set that header, too. The MCP endpoint refuses it by its `Origin`; the authorization endpoints would answer it, but need
 * a token or a code that such a page does not have.
 */
export function isHostAllowed(ctx: GateContext, publicUrl: string): boolean {
  const isOverLoopback = /^(?:127\.|::1$|::ffff:127\.)/.test(ctx.ip);
  if (!isOverLoopback || ctx.header('x-forwarded-for') !== undefined) return true;
  return isLoopback(ctx.origin) || ctx.origin === originOf(publicUrl);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
