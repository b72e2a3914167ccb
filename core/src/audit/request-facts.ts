import type { RouteContext } from '../define/route.ts';
import { sha256 } from '../schema/canonical.ts';
import type { RequestFacts } from './security-audit.ts';

/** Where the request of a route came from, for the security audit; `endpoint` is the route's method and path. */
export function requestFacts(ctx: RouteContext, endpoint: string): RequestFacts {
  const { ip, userAgent, requestId } = ctx;
  return { ip, userAgent, requestId, endpoint, deviceHash: deviceHashOf(ctx) };
}

/** Not the address and not the encodings: both change while the device stays (platform A-9). */
function deviceHashOf(ctx: RouteContext): string {
  const traits = [
    ctx.userAgent,
    ctx.header('accept-language') ?? '',
    ctx.header('sec-ch-ua-platform') ?? '',
    ctx.header('sec-ch-ua-mobile') ?? '',
  ];
  return sha256(JSON.stringify(traits));
}
