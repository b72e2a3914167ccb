import { OAuthError } from './oauth-error.ts';

/** `offline_access` is accepted for clients that ask for it; every grant has a refresh token anyway (O-32). */
export const supportedScopes = ['mcp', 'offline_access'] as const;

/** Returns the granted scope for a requested one. Throws `invalid_scope` for an unknown word (O-20). */
export function grantedScope(requested: string | undefined): string {
  const words = wordsOf(requested);
  if (!words.every((word) => supportedScopes.some((scope) => scope === word))) {
    throw new OAuthError('invalid_scope', `The scopes of this server are ${supportedScopes.join(' and ')}.`);
  }
  return supportedScopes.filter((scope) => scope === 'mcp' || words.includes(scope)).join(' ');
}

/** Returns the scope of a renewed token. Throws `invalid_scope` for a word that the grant does not have (O-34). */
export function narrowedScope(granted: string, requested: string | undefined): string {
  if (requested === undefined) return granted;
  const has = wordsOf(granted);
  if (!wordsOf(requested).every((word) => has.includes(word))) {
    throw new OAuthError('invalid_scope', 'A renewed token cannot have more scopes than the user granted.');
  }
  return grantedScope(requested);
}

function wordsOf(scope: string | undefined): readonly string[] {
  return (scope ?? '').split(' ').filter((word) => word !== '');
}
