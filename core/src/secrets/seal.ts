import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const key_bytes = 32;
const nonce_bytes = 12;
const tag_bytes = 16;

/** Encrypts texts that must wait in the store, such as mails with a link that opens an account. */
export class Seal {
  readonly #key: Buffer;

  /** The key is derived from the deployment's secret and the purpose, so that purposes cannot read each other. */
  constructor(secret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'pacioli', purpose, key_bytes));
  }

  close(text: string): string {
    const nonce = randomBytes(nonce_bytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The text again. Throws when it was sealed with another secret or changed since. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonce_bytes));
    decipher.setAuthTag(bytes.subarray(nonce_bytes, nonce_bytes + tag_bytes));
    return decipher.update(bytes.subarray(nonce_bytes + tag_bytes), undefined, 'utf8') + decipher.final('utf8');
  }
}
