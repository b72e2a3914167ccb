const profileForm = /^[a-z][a-z0-9-]{0,63}$/;

/** The MCP endpoint that a token is for. */
export interface Resource {
  /** The canonical address (O-3). */
  readonly url: string;
  /** The graph of the address; undefined if the user chooses one. */
  readonly graphId: string | undefined;
  /** The profile of the address, which restricts the graphs to choose from. */
  readonly profile: string | undefined;
}

/** The path of the endpoint whose graph comes from the grant. */
export const agnosticPath = '/v1/mcp';

/** The path of an MCP endpoint. */
export function resourcePath(of: { readonly graphId?: string; readonly profile?: string }): string {
  if (of.graphId !== undefined) return `/v1/graphs/${of.graphId}/mcp`;
  return of.profile === undefined ? agnosticPath : `${agnosticPath}/${of.profile}`;
}

/**
 * Returns the resource that a client names; the agnostic one if it names none, undefined if it is none of this server.
 * Only one trailing slash and the case of scheme and host may differ from the canonical address (O-3).
 */
export function findResource(
  issuer: string,
  given: string | undefined,
  known: { isProfile(name: string): boolean; isGraphName(text: string): boolean },
): Resource | undefined {
  const url = given === undefined ? `${issuer}${agnosticPath}` : normalized(given);
  if (!url?.startsWith(`${issuer}/`)) return undefined;
  const path = url.slice(issuer.length);
  if (path === agnosticPath) return { url, graphId: undefined, profile: undefined };
  const profile = /^\/v1\/mcp\/([^/]+)$/.exec(path)?.[1];
  if (profile !== undefined) return known.isProfile(profile) ? { url, graphId: undefined, profile } : undefined;
  const graphId = /^\/v1\/graphs\/([^/]+)\/mcp$/.exec(path)?.[1];
  return graphId !== undefined && known.isGraphName(graphId) ? { url, graphId, profile: undefined } : undefined;
}

/** True if the text can be the name of a profile in a path. */
export function isProfileName(text: string): boolean {
  return profileForm.test(text);
}

function normalized(given: string): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)$/i.exec(given);
  if (parts === null) return undefined;
  const [, origin = '', path = ''] = parts;
  return `${origin.toLowerCase()}${path.endsWith('/') ? path.slice(0, -1) : path}`;
}
