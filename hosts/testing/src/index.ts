export {
  missingPrograms as missingGraphPrograms,
  startBoltServers as startGraphServers,
  startServerProcess as startGraphServerProcess,
} from '@pacioli/graph-bolt/testing';
export {
  createTestDatabase,
  type PostgresServer,
  removeAbandonedFolders,
  startPostgresServer,
  type TestDatabase,
  tamper,
  vacuum,
} from '@pacioli/store-postgres/testing';
export { type CuttableStore, cuttableStore } from './cuttable-store.ts';
export { environmentWithoutSettings } from './environment-without-settings.ts';
export { type FixedClock, fixedClock } from './fixed-clock.ts';
export { hashEmbedder } from './hash-embedder.ts';
export { type EventListener, type HeardEvent, listenTo } from './listen-to.ts';
export { linkToken, type Mailbox, mailbox } from './mailbox.ts';
export { type Algorithm, type Cbor, type Deviation, SoftwareAuthenticator } from './software-authenticator.ts';
export { openTestStore, startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts';
export { type TableDigests, tableDigests } from './table-digests.ts';
export { joinTeam, orgIdOf, type TeamMember, teamSettings } from './team.ts';
export { type Answer, type EventFrame, TestClient } from './test-client.ts';
