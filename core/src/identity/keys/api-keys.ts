import { type RawBuilder, sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import type { Issue } from '../../errors/kinds.ts';
import { notFound, ServiceError } from '../../errors/service-error.ts';
import { validationFailure } from '../../errors/to-wire.ts';
import type { KernelApiKey } from '../../rows.gen.ts';
import type { Clock, Ids } from '../../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../../store/columns.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { GraphAccess } from '../../tenancy/graph-access.ts';
import { isGraphId } from '../../tenancy/graph-id.ts';
import { newKey } from './api-key.ts';
import { parseInstant } from './expiry.ts';

const maxKeysPerUser = 50;
const maxNameCharacters = 100;
const maxDescriptionCharacters = 500;

/** An API key as its owner sees it; times are RFC 3339. */
export interface KeyInfo {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly description: string | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly graph_id: string | null;
}

const keyColumns = columnsOf<KernelApiKey>()(
  'id',
  'name',
  'prefix',
  'is_active',
  'created_at',
  'description',
  'last_used_at',
  'expires_at',
  'graph_id',
);

type KeyInfoRow = RowOf<typeof keyColumns>;
export interface KeyRequest {
  readonly name: string;
  readonly description?: string | null;
  readonly expires_at?: string | null;
  readonly graph_id?: string | null;
}

interface ApiKeyServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
  readonly access: GraphAccess;
}

export const apiKeys: Token<ApiKeys> = createToken('kernel.api-keys');

/** The API keys of users (platform K-1 to K-6). */
export class ApiKeys {
  readonly #use: ApiKeyServices;

  constructor(use: ApiKeyServices) {
    this.#use = use;
  }

  /** Creates a key; its text is in the response and nowhere else. */
  async create(caller: Caller, input: KeyRequest, request: RequestFacts): Promise<{ api_key: KeyInfo; key: string }> {
    refuseLabels(input);
    const now = this.#use.clock.now();
    const expiresAt = readExpiry(input.expires_at, now);
    await this.#requireScope(caller, input.graph_id, request);
    const { key, fingerprint, prefix } = newKey();
    const info = await this.#use.store.transaction('kernel', async (tx) => {
      await requireCapacity(tx, caller.userId, now);
      const id = this.#use.ids.make('uak');
      const [row] = await tx.query<KeyInfoRow>(sql`
        INSERT INTO kernel_api_key (id, user_id, name, description, fingerprint, prefix, graph_id, expires_at,
          created_at)
        VALUES (${id}, ${caller.userId}, ${input.name.trim()}, ${input.description ?? null}, ${fingerprint}, ${prefix},
          ${input.graph_id ?? null}, ${expiresAt}, ${now}) RETURNING ${keyColumns}`);
      if (row === undefined) throw new Error('The store returned no row for a new API key.');
      const scope = input.graph_id == null ? {} : { graphId: input.graph_id };
      const details = { key_id: id, created_prefix: prefix };
      await this.#use.audit.append(tx, { type: 'api_key_created', risk: 'medium', caller, ...scope, request, details });
      return toInfo(row);
    });
    return { api_key: info, key };
  }

  /** Lists the caller's active keys, newest first (platform K-5). */
  async list(caller: Caller): Promise<readonly KeyInfo[]> {
    const rows = await this.#use.store.transaction(
      'kernel',
      (tx) =>
        tx.query<KeyInfoRow>(sql`
          SELECT ${keyColumns} FROM kernel_api_key
          WHERE user_id = ${caller.userId} AND ${isUsableAt(this.#use.clock.now())}
          ORDER BY created_at DESC, id DESC LIMIT ${maxKeysPerUser}`),
      { readOnly: true },
    );
    return rows.map(toInfo);
  }

  /** Changes name and description; absent or null leaves a field unchanged. */
  async update(
    caller: Caller,
    keyId: string,
    change: { readonly name?: string | null; readonly description?: string | null },
  ): Promise<KeyInfo> {
    refuseLabels(change);
    const [row] = await this.#use.store.transaction('kernel', (tx) =>
      tx.query<KeyInfoRow>(sql`
        UPDATE kernel_api_key SET name = COALESCE(${change.name?.trim() ?? null}::text, name),
          description = COALESCE(${change.description ?? null}::text, description)
        WHERE id = ${keyId} AND user_id = ${caller.userId} RETURNING ${keyColumns}`),
    );
    if (row === undefined) throw unknownKey();
    return toInfo(row);
  }

  /** Revokes a key permanently. Revoking it again succeeds (platform K-5). */
  async revoke(caller: Caller, keyId: string, request: RequestFacts): Promise<void> {
    await this.#use.store.transaction('kernel', async (tx) => {
      const [row] = await tx.query<Pick<KernelApiKey, 'prefix' | 'is_active'>>(sql`
        SELECT prefix, is_active FROM kernel_api_key WHERE id = ${keyId} AND user_id = ${caller.userId} FOR UPDATE`);
      if (row === undefined) throw unknownKey();
      if (!row.is_active) return;
      await tx.query(sql`UPDATE kernel_api_key SET is_active = false WHERE id = ${keyId}`);
      const details = { key_id: keyId, revoked_prefix: row.prefix };
      await this.#use.audit.append(tx, { type: 'api_key_revoked', risk: 'medium', caller, request, details });
    });
    this.#use.authenticator.forgetUser(caller.userId);
  }

  /** A key can be bound only to a graph that its owner can currently access (platform K-3). */
  async #requireScope(caller: Caller, graphId: string | null | undefined, request: RequestFacts): Promise<void> {
    if (graphId == null) return;
    if (!isGraphId(graphId)) throw new ServiceError('refused', 'INVALID_INPUT', 'Invalid graph_id format');
    await this.#use.access.enterGraph(caller, graphId, request);
  }
}

function refuseLabels(labels: { readonly name?: string | null; readonly description?: string | null }): void {
  const issues: Issue[] = [];
  const name = labels.name?.trim();
  if (name !== undefined && name.length === 0) {
    issues.push({ loc: ['body', 'name'], msg: 'Must have at least 1 character', type: 'string_too_short' });
  }
  if (name !== undefined && name.length > maxNameCharacters) {
    const msg = `Must have at most ${maxNameCharacters} characters`;
    issues.push({ loc: ['body', 'name'], msg, type: 'string_too_long' });
  }
  if ((labels.description?.length ?? 0) > maxDescriptionCharacters) {
    const msg = `Must have at most ${maxDescriptionCharacters} characters`;
    issues.push({ loc: ['body', 'description'], msg, type: 'string_too_long' });
  }
  if (issues.length > 0) throw validationFailure(issues);
}

function readExpiry(text: string | null | undefined, now: Date): Date | null {
  if (text == null) return null;
  const expiresAt = parseInstant(text);
  if (expiresAt === undefined) {
    const message = 'Invalid expiration date format. Use ISO 8601, such as 2030-12-31T23:59:59Z';
    throw new ServiceError('refused', 'INVALID_INPUT', message);
  }
  if (expiresAt <= now) throw new ServiceError('refused', 'INVALID_INPUT', 'Expiration date must be in the future');
  return expiresAt;
}

function isUsableAt(now: Date): RawBuilder<unknown> {
  return sql`is_active AND (expires_at IS NULL OR expires_at > ${now})`;
}

/** Locks the user's row so that two requests cannot both create the last allowed key. */
async function requireCapacity(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query(sql`SELECT 1 FROM kernel_user WHERE id = ${userId} FOR UPDATE`);
  const [count] = await tx.query<{ keys: number }>(sql`
    SELECT count(*) AS keys FROM kernel_api_key
    WHERE user_id = ${userId} AND ${isUsableAt(now)}`);
  if ((count?.keys ?? 0) < maxKeysPerUser) return;
  const message = `You have ${maxKeysPerUser} active API keys, which is the limit. Revoke one of them first.`;
  throw new ServiceError('conflict', 'CONFLICT', message);
}

function unknownKey(): ServiceError {
  return notFound('API key not found or access denied');
}

function toInfo(row: KeyInfoRow): KeyInfo {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
