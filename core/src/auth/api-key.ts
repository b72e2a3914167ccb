import { randomBytes } from 'node:crypto';
import { sha256 } from '../schema/canonical.ts';

/** How every API key begins; clients choose the header by it, so no session token may begin so (platform A-1). */
const keyStart = 'rfs';
const secretBytes = 32;
const prefixCharacters = 8;
const keyForm = /^rfs[0-9a-f]{64}$/;

/** A new API key with what is stored of it: the key itself is shown once and kept nowhere (platform K-1). */
export interface NewKey {
  readonly key: string;
  readonly fingerprint: string;
  readonly prefix: string;
}

/** Makes an API key of 256 random bits. */
export function newKey(): NewKey {
  const key = keyStart + randomBytes(secretBytes).toString('hex');
  return { key, fingerprint: keyFingerprint(key), prefix: keyPrefix(key) };
}

/** Whether a text has the form of an API key. */
export function isKey(text: string): boolean {
  return keyForm.test(text);
}

/** What a key is looked up by. A fast hash is enough because nobody can guess 256 bits (platform K-1). */
export function keyFingerprint(key: string): string {
  return sha256(key);
}

/** The first characters, for display and audit rows. */
export function keyPrefix(key: string): string {
  return key.slice(0, prefixCharacters);
}
