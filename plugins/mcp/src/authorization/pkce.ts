import { createHash } from 'node:crypto';
import { areSameDigests } from './secrets.ts';

/** True for an S256 challenge: 32 bytes in base64url, without padding (O-20). */
export function isChallenge(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** True if the verifier has the form of RFC 7636, 4.1, and its hash is the challenge (O-33). */
export function isVerified(challenge: string, verifier: string | undefined): boolean {
  if (verifier === undefined || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return areSameDigests(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
