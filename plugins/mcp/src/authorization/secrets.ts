import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;
const accessForm = /^rfso[0-9a-f]{64}$/;
const refreshForm = /^rfsr[0-9a-f]{64}$/;

/** Makes an access token with 256 random bits (O-31). */
export function newAccessToken(): string {
  return `rfso${randomBytes(secretBytes).toString('hex')}`;
}

/** Makes a refresh token with 256 random bits (O-31). */
export function newRefreshToken(): string {
  return `rfsr${randomBytes(secretBytes).toString('hex')}`;
}

/** Makes the id of an authorization request, an authorization code or a client secret, with 256 random bits. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Recognizes access tokens by their whole format: API keys also start with `rfs` (O-31). */
export function isAccessToken(text: string): boolean {
  return accessForm.test(text);
}

export function isRefreshToken(text: string): boolean {
  return refreshForm.test(text);
}

/** The stored form of a secret. A fast hash is enough because 256 random bits cannot be guessed (O-31). */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two digests in constant time. */
export function areSameDigests(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
