import type { RouteContext } from '../define/route.ts';
import type { RequestFacts } from './security-audit.ts';

/** Where the request of a route came from, for the security audit; `endpoint` is the route's method and path. */
export function requestFacts(ctx: RouteContext, endpoint: string): RequestFacts {
  return { ip: ctx.ip, userAgent: ctx.userAgent, requestId: ctx.requestId, endpoint };
}
