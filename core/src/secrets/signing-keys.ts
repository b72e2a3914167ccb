import { hkdfSync, randomBytes } from 'node:crypto';
import { createToken, type Token } from '../container/token.ts';

/** Keys for values that a client gets and sends back, such as the state of a question. */
export interface SigningKeys {
  /** 32 bytes, the same in every process of the deployment; another purpose has another key. */
  keyFor(purpose: string): Uint8Array;
}

export const signingKeys: Token<SigningKeys> = createToken('kernel.signing-keys');

/**
 * Derives the keys from the secret of the deployment. A host with an identity of its own has none, so its keys are those
 * of the process: what one process signed, another refuses.
 */
export function signingKeysFrom(secret: string | undefined): SigningKeys {
  const root = secret ?? randomBytes(32).toString('hex');
  return { keyFor: (purpose) => new Uint8Array(hkdfSync('sha256', root, 'pacioli signing', purpose, 32)) };
}
