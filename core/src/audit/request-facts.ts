import type { RouteContext } from '../define/route.ts';
import { sha256 } from '../schema/canonical.ts';
import type { RequestFacts } from './security-audit.ts';

/** Extracts the origin of a route's request for the security audit; `endpoint` is the route's method and path. */
export function requestFacts(ctx: RouteContext, endpoint: string): RequestFacts {
  const { ip, userAgent, requestId } = ctx;
  return { ip, userAgent, requestId, endpoint, deviceHash: deviceHashOf(ctx) };
}

/** Excludes the address and the encodings: both change on the same device (platform A-9). */
function deviceHashOf(ctx: RouteContext): string {
  const traits = [
    ctx.userAgent,
    ctx.header('accept-language') ?? '',
    ctx.header('sec-ch-ua-platform') ?? '',
    ctx.header('sec-ch-ua-mobile') ?? '',
  ];
  return sha256(JSON.stringify(traits));
}
