const maxRedirectCharacters = 2_048;
const forbiddenSchemes: ReadonlySet<string> = new Set(
  [
    'about',
    'blob',
    'data',
    'file',
    'filesystem',
    'ftp',
    'intent',
    'jar',
    'javascript',
    'mailto',
    'search-ms',
    'vbscript',
    'view-source',
    'ws',
    'wss',
  ].map((scheme) => `${scheme}:`),
);

/** The parameters of a response (O-20): a client that finds two of one cannot know which of them is meant. */
const responseParameters: ReadonlySet<string> = new Set(['code', 'error', 'error_description', 'iss', 'state']);

/** Parses an absolute URL; undefined if it is invalid. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Says why an address cannot be a redirect URI; undefined if it can (O-10). */
export function redirectProblem(redirect: string): string | undefined {
  if (redirect.length > maxRedirectCharacters) return `A redirect URI has at most ${maxRedirectCharacters} characters.`;
  // Browsers drop control characters and read a backslash as a slash, so the checked address would not be the used one.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(redirect))
    return 'A redirect URI contains no white space, backslash or control character.';
  if (redirect.includes('#')) return 'A redirect URI has no fragment.';
  const url = parseUrl(redirect);
  if (url === undefined || !/^[a-z][a-z0-9+.-]*:/i.test(redirect)) return 'A redirect URI is an absolute address.';
  if (url.username !== '' || url.password !== '') return 'A redirect URI has no user information.';
  const taken = [...url.searchParams.keys()].find((name) => responseParameters.has(name.toLowerCase()));
  if (taken !== undefined)
    return `A redirect URI has no parameter ${taken.toLowerCase()}: the response has one of that name.`;
  if (url.protocol === 'https:') return hasAuthority(redirect) ? undefined : 'A redirect URI with https names a host.';
  if (url.protocol === 'http:') {
    if (hasAuthority(redirect) && isLoopbackHost(url.hostname)) return undefined;
    return 'A redirect URI with http is a loopback address. Use https for other hosts.';
  }
  // Windows opens settings and programs of its own for ms-*.
  if (forbiddenSchemes.has(url.protocol) || url.protocol.startsWith('ms-'))
    return `A redirect URI cannot have the scheme ${url.protocol.slice(0, -1)}.`;
  return url.host !== '' || url.pathname.length > 1 ? undefined : 'A redirect URI of an app names a host or a path.';
}

/** True for a redirect to a server on the user's machine, whose port may differ at each use (RFC 8252, 7.3). */
export function isLoopbackRedirect(redirect: string): boolean {
  const url = parseUrl(redirect);
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/** Compares a redirect with a registered one: exactly, except for the port of a loopback redirect (O-14, O-33). */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  if (redirectProblem(given) !== undefined || !isLoopbackRedirect(registered) || !isLoopbackRedirect(given))
    return false;
  return withoutPort(registered) === withoutPort(given);
}

/** The host that receives the response, for people. The name of an app's scheme is free, so it must not look like one. */
export function redirectHost(redirect: string): string {
  const url = parseUrl(redirect);
  if (url === undefined) return redirect;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb ? url.host : `an app on this device (${url.protocol})`;
}

/** Adds parameters to a redirect and leaves the rest as it was registered. */
export function redirectWith(redirect: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** Compares the text, not the parsed address, which would also equate `/a/../b` with `/b`. */
function withoutPort(redirect: string): string {
  return redirect.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?]*))(?::\d*)?/i, '$1');
}

function hasAuthority(redirect: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(redirect);
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
