import { type Caller, type CollectionEntry, createCollection, type RunContext, type Transaction } from '@pacioli/core';
import type { ConnectionProviderInfo } from './models/ConnectionOptionsResponse.ts';
import type { CreateConnectionRequest } from './models/CreateConnectionRequest.ts';
import type { OAuthCallbackRequest } from './models/OAuthCallbackRequest.ts';
import type { OAuthCallbackResponse } from './models/OAuthCallbackResponse.ts';
import type { OAuthInitRequest } from './models/OAuthInitRequest.ts';
import type { OAuthInitResponse } from './models/OAuthInitResponse.ts';
import type { SyncConnectionRequest } from './models/SyncConnectionRequest.ts';

/** Ledger 6.1; the last two are deleted. */
export type ConnectionStatus = 'pending_oauth' | 'connected' | 'error' | 'needs_reauth' | 'disconnected' | 'severed';

/** Whose word counts for entries that originate here (ledger L-119). */
export type WritePolicy = 'native' | 'qb_authoritative';

/** What becomes of a connection that is deleted (ledger L-120). */
export type Disposition = 'disconnect' | 'sever';

/** A connection that is not deleted. */
export interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly status: ConnectionStatus;
  /** The registered name of an external source; null for the providers that the API knows. */
  readonly sourceName: string | null;
  readonly entityId: string | null;
  readonly writePolicy: WritePolicy;
  /** Shown to everybody who may read the graph: it never holds a secret (ledger L-121). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When the last load committed (ledger L-121). */
  readonly lastSyncAt: Date | null;
  /** The run of the last sync, whatever became of it. */
  readonly syncOperationId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A connection as its provider wants it to begin. */
export interface NewConnection {
  readonly status: 'connected' | 'pending_oauth';
  /** What only one live connection of the provider may hold; empty where the graph has one of the provider at most. */
  readonly slot: string;
  /** Says to a person what the slot is, for the refusal of a second connection. */
  readonly slotName: string;
  readonly sourceName: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** How a person lets a provider in; state is the provider's to make, keep and check (ledger L-117, L-118). */
export interface ProviderAuthorization {
  begin(args: {
    readonly tx: Transaction;
    readonly connection: Connection;
    readonly caller: Caller;
    readonly request: OAuthInitRequest;
    readonly now: Date;
  }): Promise<OAuthInitResponse>;
  complete(args: {
    readonly tx: Transaction;
    readonly caller: Caller;
    readonly request: OAuthCallbackRequest;
    readonly now: Date;
  }): Promise<OAuthCallbackResponse>;
}

/** A kind of outside system. Its key is the name of the provider on the wire; what is not there is switched off. */
export interface ConnectionProvider extends CollectionEntry {
  /** What people read about it before they connect. */
  readonly info: Omit<ConnectionProviderInfo, 'provider'>;
  /** Whether it keeps whole books: then it has a write policy and can be cut off for good (ledger L-119, L-120). */
  readonly keepsBooks: boolean;
  /** Checks the request and says how the connection begins; throws what it refuses. It writes nothing. */
  open(args: { readonly tx: Transaction; readonly request: CreateConnectionRequest }): Promise<NewConnection>;
  /** Absent where the system sends by itself. */
  readonly pull?: (args: {
    readonly connection: Connection;
    readonly request: SyncConnectionRequest;
    readonly ctx: RunContext;
  }) => Promise<Readonly<Record<string, unknown>>>;
  /** Absent where nobody has to be asked. */
  readonly authorization?: ProviderAuthorization;
  /** Takes back what the connection left in other tables, in the transaction that deletes it. */
  readonly deleted?: (args: {
    readonly tx: Transaction;
    readonly connection: Connection;
    readonly disposition: Disposition;
  }) => Promise<void>;
}

export const connectionProviders = createCollection<ConnectionProvider>('connections.providers');
