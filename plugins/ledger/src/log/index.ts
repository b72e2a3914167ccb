/** The append-only log of the books: sealing and verification. */
export { LogSealer } from './log-sealer.ts';
export { StoredVerifier } from './stored-verifier.ts';
