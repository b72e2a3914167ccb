import { sql } from 'kysely';
import type { KernelShortLived } from '../rows.gen.ts';
import type { Transaction } from './store.ts';

/**
 * Secrets and counters that expire: challenges, claims of single-use tokens, windows of failures (platform section 19,
 * `kv`). `kind` separates the uses of the table; `key` is a digest if it represents a secret. An expired entry is
 * never returned, even if it has not been removed yet.
 */
export interface ShortLivedKey {
  readonly kind: string;
  readonly key: string;
}

/** Stores a value until `expiresAt`; replaces an existing entry. */
export async function putShortLived(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  value: unknown,
  expiresAt: Date,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_short_lived (kind, key, value, expires_at)
    VALUES (${kind}, ${key}, ${JSON.stringify(value)}::text::jsonb, ${expiresAt})
    ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`);
}

/** Reads a value without removing it. */
export async function readShortLived<T>(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  now: Date,
): Promise<T | undefined> {
  const [row] = await tx.query(sql<{ value: T }>`
    SELECT value FROM kernel_short_lived WHERE kind = ${kind} AND key = ${key} AND expires_at > ${now}`);
  return row?.value;
}

/**
 * Reads a value, or `initial` if there is none, and locks its row until the transaction ends, so that concurrent changes
 * are made one after the other.
 */
export async function lockShortLived<T>(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  initial: T,
  now: Date,
): Promise<T> {
  const [row] = await tx.query(sql<Pick<KernelShortLived, 'expires_at'> & { readonly value: T }>`
    INSERT INTO kernel_short_lived (kind, key, value, expires_at)
    VALUES (${kind}, ${key}, ${JSON.stringify(initial)}::text::jsonb, ${now})
    ON CONFLICT (kind, key) DO UPDATE SET kind = excluded.kind RETURNING value, expires_at`);
  return row === undefined || row.expires_at <= now ? initial : row.value;
}

/** Reads and removes a value in one statement, so that only one of two concurrent callers gets it. */
export async function takeShortLived<T>(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  now: Date,
): Promise<T | undefined> {
  const [row] = await tx.query(sql<Pick<KernelShortLived, 'expires_at'> & { readonly value: T }>`
    DELETE FROM kernel_short_lived WHERE kind = ${kind} AND key = ${key} RETURNING value, expires_at`);
  return row === undefined || row.expires_at <= now ? undefined : row.value;
}

/** Claims a key; false if it is already claimed and has not expired. */
export async function claimShortLived(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    INSERT INTO kernel_short_lived AS s (kind, key, value, expires_at) VALUES (${kind}, ${key}, 'true', ${expiresAt})
    ON CONFLICT (kind, key) DO UPDATE SET expires_at = excluded.expires_at WHERE s.expires_at <= ${now}
    RETURNING key`);
  return rows.length > 0;
}

/** Adds to a counter, which starts at 0 and expires at the `expiresAt` of its first count; returns the new value. */
export async function countShortLived(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  by: number,
  expiresAt: Date,
  now: Date,
): Promise<number> {
  const [row] = await tx.query(sql<{ value: number }>`
    INSERT INTO kernel_short_lived AS s (kind, key, value, expires_at)
    VALUES (${kind}, ${key}, to_jsonb(${by}::integer), ${expiresAt})
    ON CONFLICT (kind, key) DO UPDATE SET
      value = CASE WHEN s.expires_at <= ${now} THEN excluded.value
        ELSE to_jsonb((s.value #>> '{}')::integer + ${by}::integer) END,
      expires_at = CASE WHEN s.expires_at <= ${now} THEN excluded.expires_at ELSE s.expires_at END
    RETURNING value`);
  return row?.value ?? by;
}

/** Removes an entry, if it exists. */
export async function dropShortLived(tx: Transaction, { kind, key }: ShortLivedKey): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_short_lived WHERE kind = ${kind} AND key = ${key}`);
}

/**
 * Counts one use against an allowance of `maxUses` per window of `seconds`, which starts with its first use.
 * Returns the seconds to wait, at least 1, if the allowance is used up, else undefined.
 */
export async function useAllowance(
  tx: Transaction,
  { kind, key }: ShortLivedKey,
  { maxUses, seconds, now }: { maxUses: number; seconds: number; now: Date },
): Promise<number | undefined> {
  const uses = await countShortLived(tx, { kind, key }, 1, new Date(now.getTime() + seconds * 1000), now);
  if (uses <= maxUses) return undefined;
  const [row] = await tx.query(sql<Pick<KernelShortLived, 'expires_at'>>`
    SELECT expires_at FROM kernel_short_lived WHERE kind = ${kind} AND key = ${key}`);
  const leftMs = (row?.expires_at.getTime() ?? 0) - now.getTime();
  return Math.max(1, Math.ceil(leftMs / 1000));
}
