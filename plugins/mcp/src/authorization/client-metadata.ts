import { OAuthError } from './oauth-error.ts';
import { parseUrl, redirectHost, redirectProblem } from './redirects.ts';

const maxRedirects = 10;
const maxNameCharacters = 100;
const maxLinkCharacters = 2_048;

export const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The self-description of a client, from its registration or its document. */
export interface ClientMetadata {
  readonly name: string;
  readonly uri: string | null;
  readonly logoUri: string | null;
  readonly redirectUris: readonly string[];
  readonly authMethod: AuthMethod;
  readonly applicationType: 'native' | 'web' | null;
}

/** Validates the metadata of a client (RFC 7591, O-10). Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
export function clientMetadata(given: unknown): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid('Send a JSON object.');
  const fields = new Map<string, unknown>(Object.entries(given));
  const redirectUris = redirectsOf(fields.get('redirect_uris'));
  requireGrant(fields.get('grant_types'));
  requireCode(fields.get('response_types'));
  return {
    name: nameOf(fields.get('client_name'), redirectUris),
    uri: linkOf('client_uri', fields.get('client_uri')),
    logoUri: linkOf('logo_uri', fields.get('logo_uri')),
    redirectUris,
    authMethod: oneOf('token_endpoint_auth_method', fields.get('token_endpoint_auth_method'), authMethods) ?? 'none',
    applicationType: oneOf('application_type', fields.get('application_type'), ['native', 'web'] as const) ?? null,
  };
}

function redirectsOf(given: unknown): readonly string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > maxRedirects) {
    throw new OAuthError('invalid_redirect_uri', `Give 1 to ${maxRedirects} redirect_uris.`);
  }
  return given.map((redirect: unknown) => {
    const problem = typeof redirect === 'string' ? redirectProblem(redirect) : 'A redirect URI is a text.';
    if (problem !== undefined) throw new OAuthError('invalid_redirect_uri', problem);
    return redirect as string; // Other types have a problem.
  });
}

/**
 * Control, direction and blank characters, those that are not drawn, and unpaired surrogates, all of which could make a
 * name look like another one or like none. Emoji that need one of them, as families and flags of regions do, are refused
 * too.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Requires a letter or digit to read, and limits combining marks, which would cover the lines around the name. */
function nameOf(given: unknown, redirectUris: readonly string[]): string {
  if (given === undefined || given === null || given === '') return defaultName(redirectUris);
  if (typeof given !== 'string') throw invalid('client_name is a text.');
  const name = given.normalize('NFC').trim();
  if ([...name].length > maxNameCharacters) throw invalid(`client_name has at most ${maxNameCharacters} characters.`);
  if (invisible.test(name)) throw invalid('client_name has only visible characters.');
  if (name === '') return defaultName(redirectUris);
  if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('client_name has a letter or a digit.');
  if (/\p{M}{4}/u.test(name)) throw invalid('client_name has at most 3 combining marks in a row.');
  return name;
}

function defaultName([first = '']: readonly string[]): string {
  const url = parseUrl(first);
  return url?.protocol === 'https:' ? redirectHost(first).slice(0, maxNameCharacters) : 'MCP client';
}

function linkOf(field: string, given: unknown): string | null {
  if (given === undefined || given === null || given === '') return null;
  const url = typeof given === 'string' && given.length <= maxLinkCharacters ? parseUrl(given) : undefined;
  const isPlain = typeof given === 'string' && !/[\s\\\p{Cc}]/u.test(given);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || !isPlain) {
    throw invalid(`${field} is an https address of at most ${maxLinkCharacters} characters.`);
  }
  return given as string; // Other types have no URL.
}

function requireGrant(given: unknown): void {
  if (given === undefined || given === null) return;
  if (!Array.isArray(given) || !given.includes('authorization_code')) {
    throw invalid('grant_types must include authorization_code.');
  }
}

function requireCode(given: unknown): void {
  if (given === undefined || given === null) return;
  if (!Array.isArray(given) || given.length === 0 || given.some((type) => type !== 'code')) {
    throw invalid('The only response type of this server is code.');
  }
}

function oneOf<const V extends readonly string[]>(field: string, given: unknown, values: V): V[number] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = values.find((value) => value === given);
  if (found === undefined) throw invalid(`${field} is one of ${values.join(', ')}.`);
  return found;
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_client_metadata', description);
}
