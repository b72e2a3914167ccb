import { type Clock, columnsOf, type Ids, type RowOf, type Store, sql, type Transaction } from '@pacioli/core';
import type { McpClient } from '../rows.gen.ts';
import { type ClientMetadata, clientMetadata } from './client-metadata.ts';
import { type DocumentFetch, isDocumentId } from './document-fetch.ts';
import { OAuthError, unknownClient } from './oauth-error.ts';
import { areSameDigests, digestOf, newSecret } from './secrets.ts';

const unusedDays = 30;
const maxRegistrationsPerDay = 50;
const dayMs = 86_400_000;

const clientColumns = columnsOf<McpClient>()({
  id: 'id',
  kind: 'kind',
  name: 'name',
  uri: 'uri',
  logoUri: 'logo_uri',
  redirectUris: 'redirect_uris',
  authMethod: 'auth_method',
  applicationType: 'application_type',
  secretDigest: 'secret_digest',
  isActive: 'is_active',
  freshUntil: 'fresh_until',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
});

/** A client that may be used: active and not expired. */
export type Client = RowOf<typeof clientColumns>;

/** The credentials of a client at the token and revocation endpoints. */
export interface ClientCredentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

interface ClientServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly documents: DocumentFetch;
}

/** The apps that may ask users for access: registered ones and those with a metadata document (ai-surface 6.2). */
export class Clients {
  readonly #use: ClientServices;

  constructor(use: ClientServices) {
    this.#use = use;
  }

  /** Registers a client. The secret of a confidential one is returned only here. */
  async register(
    given: unknown,
    ip: string,
  ): Promise<{ readonly client: Client; readonly secret: string | undefined }> {
    const metadata = clientMetadata(given);
    const secret = metadata.authMethod === 'none' ? undefined : newSecret();
    const id = this.#use.ids.make('mcpc');
    const client = await this.#use.store.transaction('kernel', async (tx) => {
      await this.#requireAllowance(tx, ip);
      const secretDigest = secret === undefined ? null : digestOf(secret);
      return this.#insert(tx, { id, kind: 'registered', metadata, secretDigest, ip, freshUntil: null });
    });
    if (client === undefined) throw new Error('A new client id was already in use.');
    return { client, secret };
  }

  /** Returns the client of an authorization request. Fetches a metadata document that is not fresh (O-11). */
  async resolve(clientId: string | undefined): Promise<Client> {
    if (clientId === undefined || !isDocumentId(clientId)) return this.find(clientId);
    const { store, clock, documents } = this.#use;
    const known = await store.transaction('kernel', (tx) => clientById(tx, clientId), { readOnly: true });
    const now = clock.now();
    // The document of a deactivated client is not fetched again (O-13).
    if (known?.isActive === false) throw unknownClient();
    if (known?.freshUntil != null && known.freshUntil > now) return known;
    const { value, maxAgeSeconds } = await documents.fetch(clientId);
    const metadata = documentMetadata(clientId, value);
    const freshUntil = new Date(clock.now().getTime() + maxAgeSeconds * 1000);
    const client = await store.transaction('kernel', (tx) =>
      this.#insert(tx, { id: clientId, kind: 'document', metadata, secretDigest: null, ip: null, freshUntil }),
    );
    if (client === undefined) throw unknownClient();
    return client;
  }

  /** Returns a client without fetching anything. Throws `invalid_client` for an unknown, inactive or expired one. */
  async find(clientId: string | undefined): Promise<Client> {
    // The store cannot hold this character, so no client has it.
    if (clientId === undefined || clientId.includes('\0')) throw unknownClient();
    const client = await this.#use.store.transaction('kernel', (tx) => clientById(tx, clientId), { readOnly: true });
    const isExpired = client?.expiresAt != null && client.expiresAt <= this.#use.clock.now();
    if (client === undefined || !client.isActive || isExpired) throw unknownClient();
    return client;
  }

  /** Checks the credentials of a client. A public client has only its id; a confidential one must prove its secret. */
  async authenticate({ id, secret }: ClientCredentials): Promise<Client> {
    const client = await this.find(id);
    if (client.secretDigest === null) {
      if (secret !== undefined && secret !== '') throw badSecret();
      return client;
    }
    if (secret === undefined || !areSameDigests(digestOf(secret), client.secretDigest)) throw badSecret();
    return client;
  }

  /** Deactivates a client, which ends all its tokens (O-13, O-37); false if there is none. */
  async deactivate(clientId: string): Promise<boolean> {
    const rows = await this.#use.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE mcp_client SET is_active = false WHERE id = ${clientId} RETURNING id`),
    );
    return rows.length > 0;
  }

  /** At most 50 registrations a day from one address; concurrent ones wait for each other (O-10). */
  async #requireAllowance(tx: Transaction, ip: string): Promise<void> {
    const since = new Date(this.#use.clock.now().getTime() - dayMs);
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`mcp_client ${ip}`}, 0))`);
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*) AS count FROM mcp_client WHERE registered_from = ${ip} AND created_at > ${since}`);
    if ((row?.count ?? 0) < maxRegistrationsPerDay) return;
    const limit = `An address can register ${maxRegistrationsPerDay} clients a day.`;
    throw new OAuthError('too_many_requests', `${limit} Reuse a client id, or try again tomorrow.`);
  }

  /** Inserts a client, or updates one from its document unless it is deactivated. */
  async #insert(tx: Transaction, client: NewClient): Promise<Client | undefined> {
    const { metadata } = client;
    const now = this.#use.clock.now();
    const expiresAt = new Date(now.getTime() + unusedDays * dayMs);
    const [row] = await tx.query(sql<Client>`
      INSERT INTO mcp_client AS c (id, kind, name, uri, logo_uri, redirect_uris, auth_method, application_type,
        secret_digest, registered_from, fresh_until, expires_at, created_at)
      VALUES (${client.id}, ${client.kind}, ${metadata.name}, ${metadata.uri}, ${metadata.logoUri},
        ${[...metadata.redirectUris]}::text[], ${metadata.authMethod}, ${metadata.applicationType},
        ${client.secretDigest}, ${client.ip}, ${client.freshUntil}, ${expiresAt}, ${now})
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, uri = excluded.uri, logo_uri = excluded.logo_uri,
        redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until,
        expires_at = CASE WHEN c.expires_at IS NULL THEN NULL ELSE excluded.expires_at END
      WHERE c.is_active AND c.kind = 'document'
      RETURNING ${clientColumns}`);
    return row;
  }
}

interface NewClient {
  readonly id: string;
  readonly kind: McpClient['kind'];
  readonly metadata: ClientMetadata;
  readonly secretDigest: string | null;
  readonly ip: string | null;
  readonly freshUntil: Date | null;
}

/** A client that a user has connected does not expire. */
export async function keepClient(tx: Transaction, clientId: string): Promise<void> {
  await tx.query(sql`UPDATE mcp_client SET expires_at = NULL WHERE id = ${clientId} AND expires_at IS NOT NULL`);
}

async function clientById(tx: Transaction, id: string): Promise<Client | undefined> {
  const [row] = await tx.query(sql<Client>`SELECT ${clientColumns} FROM mcp_client WHERE id = ${id}`);
  return row;
}

/** Validates a document like a registration; it has no place for a secret, so its client is public (O-11). */
function documentMetadata(clientId: string, value: unknown): ClientMetadata {
  const isOwn = typeof value === 'object' && value !== null && 'client_id' in value && value.client_id === clientId;
  if (!isOwn) throw unknownClient('The document does not name its own address as client_id.');
  try {
    return clientMetadata({ ...value, token_endpoint_auth_method: 'none' });
  } catch (error) {
    throw unknownClient(error);
  }
}

function badSecret(): OAuthError {
  return new OAuthError('invalid_client', 'The client could not be authenticated. Send its id and its current secret.');
}
