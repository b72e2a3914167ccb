import { randomBytes } from 'node:crypto';
import { sha256 } from '../../schema/canonical.ts';

/** The prefix of every API key. Clients choose the header by it, so no session token may have it (platform A-1). */
const keyStart = 'rfs';
const secretBytes = 32;
const prefixCharacters = 8;
const keyForm = /^rfs[0-9a-f]{64}$/;

/** A new API key and its stored form: the key itself is shown once and never stored (platform K-1). */
export interface NewKey {
  readonly key: string;
  readonly fingerprint: string;
  readonly prefix: string;
}

/** Generates an API key with 256 random bits. */
export function newKey(): NewKey {
  const key = keyStart + randomBytes(secretBytes).toString('hex');
  return { key, fingerprint: keyFingerprint(key), prefix: keyPrefix(key) };
}

/** True if the text has the format of an API key. */
export function isKey(text: string): boolean {
  return keyForm.test(text);
}

/** The hash under which a key is stored. A fast hash is enough because 256 bits cannot be guessed (platform K-1). */
export function keyFingerprint(key: string): string {
  return sha256(key);
}

/** The first characters of a key, for display and audit rows. */
export function keyPrefix(key: string): string {
  return key.slice(0, prefixCharacters);
}
