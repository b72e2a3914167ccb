export { type EmbeddedStoreOptions, embeddedStore } from './embedded-store.ts';
export { type PostgresStoreOptions, postgresStore } from './postgres-store.ts';
export { type TableOwners, tableOwners } from './table-owners.ts';
