import { type Caller, type CollectionEntry, createCollection, type RunContext, type Transaction } from '@pacioli/core';
import type { ConnectionProviderInfo } from './models/ConnectionProviderInfo.ts';
import type { CreateConnectionRequest } from './models/CreateConnectionRequest.ts';
import type { OAuthCallbackRequest } from './models/OAuthCallbackRequest.ts';
import type { OAuthCallbackResponse } from './models/OAuthCallbackResponse.ts';
import type { OAuthInitRequest } from './models/OAuthInitRequest.ts';
import type { OAuthInitResponse } from './models/OAuthInitResponse.ts';
import type { SyncConnectionRequest } from './models/SyncConnectionRequest.ts';

/** Ledger 6.1; the last two are deleted connections. */
export type ConnectionStatus = 'pending_oauth' | 'connected' | 'error' | 'needs_reauth' | 'disconnected' | 'severed';

/** The system of record for entries that originate here (ledger L-119). */
export type WritePolicy = 'native' | 'qb_authoritative';

/** The way to delete a connection (ledger L-120). */
export type Disposition = 'disconnect' | 'sever';

/** A live connection. */
export interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly status: ConnectionStatus;
  /** The registered name of an external source; null for providers that the API names. */
  readonly sourceName: string | null;
  readonly entityId: string | null;
  readonly writePolicy: WritePolicy;
  /** Visible to every reader of the graph, so it must never hold a secret (ledger L-121). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The time when the last load committed (ledger L-121). */
  readonly lastSyncAt: Date | null;
  /** The run of the last sync, whatever its outcome. */
  readonly syncOperationId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The initial values of a connection, from its provider. */
export interface NewConnection {
  readonly status: 'connected' | 'pending_oauth';
  /**
   * A key that only one live connection of the provider can have; empty if the graph can have only one of the provider.
   */
  readonly slot: string;
  /** Describes the slot to users when a second connection is refused. */
  readonly slotName: string;
  readonly sourceName: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Authorizes a provider; the provider creates, stores and verifies the state (ledger L-117, L-118). */
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

/** A kind of outside system. The key is its name on the wire; providers without an entry are switched off. */
export interface ConnectionProvider extends CollectionEntry {
  /** The description shown before connecting. */
  readonly info: Omit<ConnectionProviderInfo, 'provider'>;
  /** True if it keeps whole books: it then has a write policy and can be severed (ledger L-119, L-120). */
  readonly keepsBooks: boolean;
  /** Validates the request and returns the initial values; throws to refuse. It must not write. */
  open(args: { readonly tx: Transaction; readonly request: CreateConnectionRequest }): Promise<NewConnection>;
  /** Absent for systems that send events themselves. */
  readonly pull?: (args: {
    readonly connection: Connection;
    readonly request: SyncConnectionRequest;
    readonly ctx: RunContext;
  }) => Promise<Readonly<Record<string, unknown>>>;
  /** Absent for providers that need no authorization. */
  readonly authorization?: ProviderAuthorization;
  /** Removes what the connection left in other tables, in the transaction that deletes it. */
  readonly deleted?: (args: {
    readonly tx: Transaction;
    readonly connection: Connection;
    readonly disposition: Disposition;
  }) => Promise<void>;
}

export const connectionProviders = createCollection<ConnectionProvider>('connections.providers');
