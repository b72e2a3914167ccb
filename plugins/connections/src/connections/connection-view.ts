import type { ConnectionResponse } from '../models/ConnectionResponse.ts';
import type { Connection } from '../tokens.ts';

/** The wire form of a connection. */
export function connectionView(connection: Connection): ConnectionResponse {
  return {
    connection_id: connection.id,
    provider: connection.provider,
    status: connection.status,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
    last_sync: connection.lastSyncAt?.toISOString() ?? null,
    metadata: { ...connection.metadata },
    entity_id: connection.entityId,
    write_policy: connection.writePolicy,
    source_name: connection.sourceName,
  };
}
