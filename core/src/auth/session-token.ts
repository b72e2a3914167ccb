import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
// The package's index would load its encryption too.
import * as errors from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Clock } from '../services/kernel-tokens.ts';
import { createToken, type Token } from '../services/token.ts';
import { type AuthSettings, checkAuthSettings } from './settings.ts';

/** What a session token says once its signature is checked (platform A-6). */
export interface Session {
  readonly userId: string;
  readonly jti: string;
  readonly sessionVersion: number;
  readonly expiresAt: Date;
  /** The device that the session was opened on, where sessions are bound to devices (platform A-9). */
  readonly deviceHash?: string;
}

/** A token of ours that opens no session by itself: it carries what its maker put into it (platform A-6). */
export interface SpecialToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Why a token is refused. `wrong-type` is a real token of ours that is no session: somebody tries something. */
export type SessionCheck =
  | { readonly ok: true; readonly session: Session; readonly expired: boolean }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' | 'wrong-type'; readonly userId?: string };

/** How long a session lasts, and when a client is advised to renew it (platform A-8). */
export const sessionSeconds = 1800;
export const refreshThresholdSeconds = 300;
/** How long after its end a session can still be renewed (platform A-10). */
export const refreshGraceSeconds = 300;

/** Signs and reads session tokens. The only place that knows the library. */
export class SessionTokens {
  readonly #settings: AuthSettings;
  readonly #key: KeyObject;
  readonly #clock: Clock;

  constructor(settings: AuthSettings, clock: Clock) {
    this.#settings = checkAuthSettings(settings);
    this.#key = createSecretKey(Buffer.from(settings.jwtSecret));
    this.#clock = clock;
  }

  /** A new session of a user, bound to a device if one is given. */
  async issue(userId: string, sessionVersion: number, deviceHash?: string): Promise<string> {
    const device = deviceHash === undefined ? {} : { device_hash: deviceHash };
    const claims = { user_id: userId, type: 'access', session_version: sessionVersion, ...device };
    return (await this.#sign(claims, sessionSeconds)).token;
  }

  /** Signs a token that is no session, such as one that is handed to another app; it is never a bearer. */
  async issueSpecial(claims: Readonly<Record<string, unknown>>, seconds: number): Promise<SpecialToken> {
    assert(claims['type'] !== 'access', 'A special token must not look like a session.');
    return this.#sign(claims, seconds);
  }

  /** The claims of a special token of ours that still lasts; undefined for everything else, sessions included. */
  async readSpecial(token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const { payload } = await this.#verify(token, 0);
      return payload['type'] === 'access' ? undefined : payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Reads a token; `graceSeconds` accepts one that ended so long ago and says so. */
  async read(token: string, graceSeconds = 0): Promise<SessionCheck> {
    try {
      const { payload } = await this.#verify(token, graceSeconds);
      return toSession(payload, this.#clock.now());
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
      if (error instanceof errors.JOSEError) return { ok: false, reason: 'invalid' };
      throw error;
    }
  }

  #verify(token: string, graceSeconds: number) {
    return jwtVerify(token, this.#key, {
      issuer: this.#settings.issuer,
      audience: this.#settings.audience,
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: this.#clock.now(),
      clockTolerance: graceSeconds,
    });
  }

  async #sign(claims: Readonly<Record<string, unknown>>, seconds: number): Promise<SpecialToken> {
    const issuedAt = Math.floor(this.#clock.now().getTime() / 1000);
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .setIssuer(this.#settings.issuer)
      .setAudience(this.#settings.audience)
      .sign(this.#key);
    return { token, expiresAt: new Date((issuedAt + seconds) * 1000) };
  }
}

export const sessionTokens: Token<SessionTokens> = createToken('kernel.session-tokens');

function toSession(payload: JWTPayload, now: Date): SessionCheck {
  const { user_id: userId, session_version: sessionVersion, type, jti, exp, device_hash: device } = payload;
  if (typeof userId !== 'string') return { ok: false, reason: 'invalid' };
  if (type !== 'access') return { ok: false, reason: 'wrong-type', userId };
  if (typeof sessionVersion !== 'number' || jti === undefined || exp === undefined) {
    return { ok: false, reason: 'invalid' };
  }
  const expiresAt = new Date(exp * 1000);
  const deviceHash = typeof device === 'string' ? { deviceHash: device } : {};
  return { ok: true, session: { userId, jti, sessionVersion, expiresAt, ...deviceHash }, expired: expiresAt <= now };
}
