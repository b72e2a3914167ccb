import { createToken, type Token } from '../services/token.ts';

/** What a host decides about signing in. */
export interface AuthSettings {
  /** Signs session tokens; at least 32 bytes (platform A-6). */
  readonly jwtSecret: string;
  readonly issuer: string;
  readonly audience: string;
  /** False refuses new accounts (platform A-14); true unless given. */
  readonly registrationOpen?: boolean;
  /** Graphs that a new organisation may have; 10 unless given, -1 is without limit (platform U-9). */
  readonly orgGraphs_max?: number;
  /** Names of the deployment's product that a password must not be built on (platform A-25). */
  readonly productNames?: readonly string[];
}

export const authSettings: Token<AuthSettings> = createToken('kernel.auth-settings');

const secret_bytes_min = 32;

/** Throws a sentence for people when the settings cannot be used, so that a host fails at its start. */
export function checkAuthSettings(settings: AuthSettings): AuthSettings {
  if (Buffer.byteLength(settings.jwtSecret) < secret_bytes_min) {
    throw new Error(`The secret for session tokens is shorter than ${secret_bytes_min} bytes. Configure a longer one.`);
  }
  if (settings.issuer === '' || settings.audience === '') {
    throw new Error('Session tokens need an issuer and an audience. Configure both.');
  }
  return settings;
}
