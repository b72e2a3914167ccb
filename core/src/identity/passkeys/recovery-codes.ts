import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { sha256 } from '../../schema/canonical.ts';
import type { Transaction } from '../../store/store.ts';

const codesPerSet = 10;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const groupCharacters = 5;

/** Creates a set of codes for a user, which replaces the earlier one; stores only digests (platform M-18). */
export async function replaceRecoveryCodes(tx: Transaction, userId: string, now: Date): Promise<readonly string[]> {
  await dropRecoveryCodes(tx, userId);
  const codes = new Set<string>();
  while (codes.size < codesPerSet) codes.add(`${group()}-${group()}`);
  for (const code of codes) {
    await tx.query(sql`
      INSERT INTO kernel_recovery_code (user_id, code_hash, created_at) VALUES (${userId}, ${digest(code)}, ${now})`);
  }
  return [...codes];
}

/** Consumes a code in one statement, so that only one of two concurrent callers gets true. */
export async function takeRecoveryCode(tx: Transaction, userId: string, code: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE kernel_recovery_code SET used_at = ${now}
    WHERE user_id = ${userId} AND code_hash = ${digest(code)} AND used_at IS NULL RETURNING user_id`);
  return rows.length > 0;
}

/** Counts the unused codes of a user. */
export async function countRecoveryCodes(tx: Transaction, userId: string): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    SELECT count(*) AS count FROM kernel_recovery_code WHERE user_id = ${userId} AND used_at IS NULL`);
  return row?.count ?? 0;
}

export async function dropRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_recovery_code WHERE user_id = ${userId}`);
}

function group(): string {
  return Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
}

/** Normalizes before hashing: users type codes in lowercase, with spaces or without the dash. */
function digest(code: string): string {
  return sha256(code.toUpperCase().replaceAll(/[\s-]/g, ''));
}
