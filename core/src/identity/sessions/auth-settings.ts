import { createToken, type Token } from '../../container/token.ts';

/** The sign-in settings of a host. */
export interface AuthSettings {
  /** Signs session tokens; at least 32 bytes (platform A-6). */
  readonly jwtSecret: string;
  readonly issuer: string;
  readonly audience: string;
}

export const authSettings: Token<AuthSettings> = createToken('kernel.auth-settings');

const minSecretBytes = 32;

/** Throws a readable message for unusable settings, so that a host fails at startup. */
export function checkAuthSettings(settings: AuthSettings): AuthSettings {
  // A host in JavaScript may leave them out.
  const { jwtSecret, issuer, audience }: Partial<AuthSettings> = settings;
  if (typeof jwtSecret !== 'string') throw new Error('Session tokens need a secret. Configure auth.jwtSecret.');
  if (Buffer.byteLength(jwtSecret) < minSecretBytes) {
    throw new Error(`The secret for session tokens is shorter than ${minSecretBytes} bytes. Configure a longer one.`);
  }
  if (!issuer || !audience) {
    throw new Error('Session tokens need an issuer and an audience. Configure both.');
  }
  return settings;
}
