import { randomBytes } from 'node:crypto';
import { sha256 } from '../../schema/canonical.ts';
import { putShortLived, takeShortLived } from '../../store/short-lived.ts';
import type { Transaction } from '../../store/store.ts';

/** The flow of a challenge: enrollment, second factor, passwordless sign-in, or proof before a change. */
export type Flow = 'reg' | 'mfa' | 'pwl' | 'mgmt';

/** The purpose that a challenge is bound to (platform M-10). */
export interface Purpose {
  readonly flow: Flow;
  /** The user who must respond; absent for a passwordless sign-in. */
  readonly userId?: string;
  /** The mfa token that requested it. */
  readonly jti?: string;
}

const challengeBytes = 32;
/** The time limit of one ceremony. */
export const challengeSeconds = 300;
const kind = 'passkey-challenge';

/** Issues a challenge and stores its purpose, in the caller's kernel transaction. */
export async function issueChallenge(tx: Transaction, purpose: Purpose, now: Date): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(challengeBytes));
  const until = new Date(now.getTime() + challengeSeconds * 1000);
  await putShortLived(tx, { kind, key: digest(Buffer.from(bytes).toString('base64url')) }, toStored(purpose), until);
  return bytes;
}

/**
 * Consumes the challenge of a browser's response; undefined if there is none or its purpose differs. It is consumed in
 * every case, so the transaction must commit (platform M-10).
 */
export async function takeChallenge(
  tx: Transaction,
  response: unknown,
  { purpose, now }: { readonly purpose: Purpose; readonly now: Date },
): Promise<string | undefined> {
  const challenge = challengeOf(response);
  if (challenge === undefined) return undefined;
  const stored = await takeShortLived<StoredPurpose>(tx, { kind, key: digest(challenge) }, now);
  const wanted = toStored(purpose);
  const isMeant = stored?.flow === wanted.flow && stored.user_id === wanted.user_id && stored.jti === wanted.jti;
  return isMeant ? challenge : undefined;
}

interface StoredPurpose {
  readonly flow: Flow;
  readonly user_id: string | null;
  readonly jti: string | null;
}

function toStored({ flow, userId, jti }: Purpose): StoredPurpose {
  return { flow, user_id: userId ?? null, jti: jti ?? null };
}

/** Reads the challenge from the browser's response. */
function challengeOf(response: unknown): string | undefined {
  const encoded = field(field(response, 'response'), 'clientDataJSON');
  if (typeof encoded !== 'string') return undefined;
  try {
    const challenge = field(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')), 'challenge');
    return typeof challenge === 'string' ? challenge : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads a field of an untrusted value; undefined if it is not an object or lacks the field. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name]; // Any property of an object is unknown.
}

function digest(challenge: string): string {
  return sha256(challenge);
}
