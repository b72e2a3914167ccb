/** The append-only log of the books: sealing and verification. */

export type { BookVerifier, BrokenInvariant } from './invariants.ts';
export { type LedgerLog, type LogHead, LogSealer } from './log-sealer.ts';
export { StoredVerifier } from './stored-verifier.ts';
