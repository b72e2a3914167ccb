/** The connections of a graph: stored, changed, synchronized and shown. */
export { ConnectionService } from './connection-service.ts';
export { ConnectionSyncs } from './connection-syncs.ts';
export { connectionView } from './connection-view.ts';
export { StoredConnections } from './stored-connections.ts';
