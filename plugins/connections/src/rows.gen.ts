// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface ConnectionsConnection {
  readonly graph_id: string;
  readonly id: string;
  readonly provider: string;
  readonly slot: string;
  readonly status: 'pending_oauth' | 'connected' | 'error' | 'needs_reauth' | 'disconnected' | 'severed';
  readonly source_name: string | null;
  readonly entity_id: string | null;
  readonly write_policy: 'native' | 'qb_authoritative';
  readonly metadata: unknown;
  readonly last_sync_at: Date | null;
  readonly sync_operation_id: string | null;
  readonly created_at: Date;
  readonly created_by: string;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
}

/** For `tx.tables<ConnectionsTables>()`. */
export interface ConnectionsTables {
  readonly connections_connection: ConnectionsConnection;
}
