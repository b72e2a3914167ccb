import { sql } from 'kysely';
import type { KernelPasskey } from '../../rows.gen.ts';
import { columnsOf, type RowOf } from '../../store/columns.ts';
import type { Transaction } from '../../store/store.ts';

/** The facts that an authenticator reports when a passkey is created. */
export interface CredentialFacts
  extends Pick<KernelPasskey, 'credential_id' | 'sign_count' | 'aaguid' | 'backup_eligible' | 'backup_state'> {
  /** COSE, in base64url. */
  readonly public_key: KernelPasskey['public_key'];
  readonly transports: readonly string[];
}

/** The most passkeys of one user, which also bounds every list of them (platform M-13). */
export const maxPasskeysPerUser = 20;

const columns = columnsOf<KernelPasskey>()(
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'sign_count',
  'transports',
  'aaguid',
  'backup_eligible',
  'backup_state',
  'name',
  'created_at',
  'last_used_at',
);

export type Passkey = RowOf<typeof columns> & Pick<CredentialFacts, 'transports'>;

/** Lists the passkeys of a user, oldest first. */
export async function passkeysOf(tx: Transaction, userId: string): Promise<readonly Passkey[]> {
  return tx.query(sql<Passkey>`
    SELECT ${columns} FROM kernel_passkey WHERE user_id = ${userId} ORDER BY created_at, id
    LIMIT ${maxPasskeysPerUser}`);
}

/** Counts the passkeys of a user. */
export async function countPasskeys(tx: Transaction, userId: string): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    SELECT count(*) AS count FROM kernel_passkey WHERE user_id = ${userId}`);
  return row?.count ?? 0;
}

/** Finds a passkey by credential id, for any user. */
export async function passkeyByCredential(tx: Transaction, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await tx.query(sql<Passkey>`
    SELECT ${columns} FROM kernel_passkey WHERE credential_id = ${credentialId}`);
  return row;
}

/** Stores a new passkey; undefined if its credential already exists. */
export async function insertPasskey(
  tx: Transaction,
  given: CredentialFacts & { readonly id: string; readonly userId: string; readonly name: string; readonly now: Date },
): Promise<Passkey | undefined> {
  const [row] = await tx.query(sql<Passkey>`
    INSERT INTO kernel_passkey (id, user_id, credential_id, public_key, sign_count, transports, aaguid,
      backup_eligible, backup_state, name, created_at)
    VALUES (${given.id}, ${given.userId}, ${given.credential_id}, ${given.public_key}, ${given.sign_count},
      ${JSON.stringify(given.transports)}::text::jsonb, ${given.aaguid}, ${given.backup_eligible},
      ${given.backup_state}, ${given.name}, ${given.now})
    ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`);
  return row;
}

/** Records the use of a passkey; false if it has been removed. */
export async function touchPasskey(
  tx: Transaction,
  id: string,
  use: Pick<KernelPasskey, 'sign_count' | 'backup_state'> & { readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE kernel_passkey SET sign_count = ${use.sign_count}, backup_state = ${use.backup_state},
      last_used_at = ${use.now}
    WHERE id = ${id} RETURNING id`);
  return rows.length > 0;
}

export async function deletePasskey(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_passkey WHERE id = ${id}`);
}

/** Locks a user's row until the transaction ends, to serialize changes of the user's passkeys. */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`SELECT id FROM kernel_user WHERE id = ${userId} FOR UPDATE`);
}
