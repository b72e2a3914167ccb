import { type Caller, isServiceError, type RouteContext, type RouteEntry, ServiceError } from '@pacioli/core';
import type { McpTokens, TokenRefusal } from './mcp-tokens.ts';
import { isAccessToken } from './secrets.ts';

/** The caller of a request, and the graph that an access token grants. */
export interface Authorized {
  readonly caller: Caller;
  /** Undefined for keys and sessions, whose graph is that of the URL. */
  readonly grantedGraphId: string | undefined;
}

export interface Endpoint {
  /** The path of the endpoint, such as `/v1/mcp`. */
  readonly path: string;
  /** False where only access tokens are accepted (ai-surface O-41). */
  readonly acceptsKeys: boolean;
}

/** Authenticates a request at one of the endpoints; throws 401 and 403 with their challenges (ai-surface O-4, O-40). */
export async function authorize(
  ctx: Pick<RouteContext, 'header' | 'serviceUrl' | 'bearerToken'>,
  entry: RouteEntry,
  { path, acceptsKeys }: Endpoint,
  tokens: McpTokens,
): Promise<Authorized> {
  const { bearerToken } = ctx;
  if (bearerToken !== undefined && isAccessToken(bearerToken)) {
    const grant = await tokens.verify(bearerToken, `${ctx.serviceUrl}${path}`);
    if (!('refused' in grant)) return { caller: grant.caller, grantedGraphId: grant.graphId };
    await entry.refused();
    if (!tokens.isOn) throw unauthenticated(grant.description, plainChallenge);
    throw refusalOf(grant, ctx.serviceUrl, path);
  }
  const caller = acceptsKeys
    ? await entry.authenticate(['api-key', 'bearer']).catch((error: unknown) => {
        if (!isServiceError(error) || error.kind !== 'unauthenticated') throw error;
        const header = challenge(ctx.serviceUrl, path, 'invalid_token', error.message);
        throw unauthenticated(error.message, tokens.isOn ? header : plainChallenge);
      })
    : undefined;
  if (caller !== undefined) return { caller, grantedGraphId: undefined };
  await entry.refused();
  if (!tokens.isOn) throw unauthenticated('Authentication required', plainChallenge);
  const isBad = !acceptsKeys && bearerToken !== undefined && bearerToken !== '';
  throw unauthenticated(
    'Authentication required',
    isBad
      ? challenge(ctx.serviceUrl, path, 'invalid_token', 'Only access tokens of this endpoint are accepted')
      : challenge(ctx.serviceUrl, path),
  );
}

/** The challenge of a deployment that issues no tokens, and so has no metadata to point to. */
const plainChallenge = 'Bearer';

/** The header that tells a client where to get a token (ai-surface O-4). */
export function challenge(serviceUrl: string, path: string, error?: string, description?: string): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replaceAll(/["\\]|[^\x20-\x7e]/g, '')}"`]),
    `resource_metadata="${serviceUrl}/.well-known/oauth-protected-resource${path}"`,
    'scope="mcp"',
  ];
  return `Bearer ${parts.join(', ')}`;
}

function refusalOf({ refused, description }: TokenRefusal, serviceUrl: string, path: string): ServiceError {
  const header = challenge(serviceUrl, path, refused, description);
  return refused === 'invalid_token'
    ? unauthenticated(description, header)
    : new ServiceError('forbidden', 'FORBIDDEN', description, { headers: { 'WWW-Authenticate': header } });
}

function unauthenticated(message: string, header: string): ServiceError {
  return new ServiceError('unauthenticated', 'UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': header } });
}
