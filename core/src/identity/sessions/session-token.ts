import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
// Importing the package's index would also load its encryption code.
import * as errors from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { createToken, type Token } from '../../container/token.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import { type AuthSettings, checkAuthSettings } from './auth-settings.ts';

/** The claims of a session token with a valid signature (platform A-6). */
export interface Session {
  readonly userId: string;
  readonly jti: string;
  readonly sessionVersion: number;
  readonly expiresAt: Date;
  /** The device that the session was opened on, where sessions are bound to devices (platform A-9). */
  readonly deviceHash?: string;
}

/** A signed token that is not a session, such as a bridge token (platform A-6). */
export interface SpecialToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The reason to refuse a token. `wrong-type` is a valid token that is not a session, which is suspicious. */
export type SessionCheck =
  | { readonly ok: true; readonly session: Session; readonly expired: boolean }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' | 'wrong-type'; readonly userId?: string };

/** The lifetime of a session, and the remaining time at which clients should renew it (platform A-8). */
export const sessionSeconds = 1800;
export const refreshThresholdSeconds = 300;
/** An expired session can be renewed this long (platform A-10). */
export const refreshGraceSeconds = 300;

/** Signs and reads session tokens. Only this file imports the library. */
export class SessionTokens {
  readonly #settings: AuthSettings;
  readonly #key: KeyObject;
  readonly #clock: Clock;

  constructor(settings: AuthSettings, clock: Clock) {
    this.#settings = checkAuthSettings(settings);
    this.#key = createSecretKey(Buffer.from(settings.jwtSecret));
    this.#clock = clock;
  }

  /** Issues a session token, bound to a device if one is given. */
  async issue(userId: string, sessionVersion: number, deviceHash?: string): Promise<string> {
    const device = deviceHash === undefined ? {} : { device_hash: deviceHash };
    const claims = { user_id: userId, type: 'access', session_version: sessionVersion, ...device };
    return (await this.#sign(claims, sessionSeconds)).token;
  }

  /** Signs a token that is not a session, such as a bridge token; it is never accepted as a bearer. */
  async issueSpecial(claims: Readonly<Record<string, unknown>>, seconds: number): Promise<SpecialToken> {
    assert(claims['type'] !== 'access', 'A special token must not look like a session.');
    return this.#sign(claims, seconds);
  }

  /** Returns the claims of a special token that has not expired; undefined for anything else, including sessions. */
  async readSpecial(token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const { payload } = await this.#verify(token, 0);
      return payload['type'] === 'access' ? undefined : payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Reads a token; one that expired at most `graceSeconds` ago is accepted and marked. */
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
