import type { Identity } from '../auth/identity.ts';
import { type Provider, provide } from '../container/provider.ts';
import type { Token } from '../container/token.ts';
import type { Log } from '../define/context.ts';
import { createOperationRuns, operationRuns } from '../envelope/operation-runs.ts';
import { createResultRestorer, resultRestorer } from '../envelope/result-restorer.ts';
import { callGraphql } from '../envelope/run-graphql.ts';
import type { MountedOperation } from '../envelope/run-operation.ts';
import { noFileStore } from '../files/no-file-store.ts';
import { noStagingStore } from '../files/no-staging-store.ts';
import { type GraphEngine, graphEngine } from '../graph-schema/index.ts';
import type { GraphqlService } from '../graphql/compose.ts';
import { type GraphqlReads, graphqlReads } from '../graphql/graphql-reads.ts';
import { type AuthSettings, accountIdentity, authSettings, checkAuthSettings } from '../identity/index.ts';
import { deployedMigrations } from '../jobs/graph-removals.ts';
import { operations } from '../jobs/operations.ts';
import { type ShortLivedRun, shortLivedRuns } from '../jobs/short-lived-runs.ts';
import { type Mail, mail, noMail } from '../mail/mail.ts';
import { SchemaValidator, schemaValidator } from '../schema/validate.ts';
import { signingKeys, signingKeysFrom } from '../secrets/signing-keys.ts';
import { noEmbedder, noLanguageModel, noSearchIndex } from '../services/absent-drivers.ts';
import { systemClock, ulidIds } from '../services/clock.ts';
import { type EventPublisher, eventPublisher, OutboxPublisher } from '../services/events.ts';
import { type Clock, type Domains, type Ids, kernel } from '../services/kernel-tokens.ts';
import type { StatusService } from '../services/status.ts';
import { healthChecks, statusService } from '../services/status.ts';
import { StoredStatus } from '../services/stored-status.ts';
import { type GivenSettings, kernelSettings, settingsOf } from '../settings/kernel-settings.ts';
import type { AnalyticalSchema } from '../store/analytical.ts';
import type { Embedder } from '../store/embedder.ts';
import type { FileStore } from '../store/file-store.ts';
import type { GraphStore } from '../store/graph-store.ts';
import type { LanguageModel } from '../store/language-model.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { StagingStore } from '../store/staging-store.ts';
import type { MigrationSet, Store } from '../store/store.ts';
import { AssembledCatalog, type ToolSet } from '../tool-catalog/assembled-catalog.ts';
import { toolCatalog } from '../tool-catalog/catalog.ts';
import { StoredToolRuns } from '../tool-catalog/stored-tool-runs.ts';
import { toolRuns } from '../tool-catalog/tool-run.ts';

/** The host's contributions to a deployment, other than plugins. */
export interface HostParts {
  readonly store: Store;
  /** The analytical graphs: a set of plugins that uses them does not start without it. */
  readonly graphStore?: GraphStore;
  /** Rows of uploaded files, and SQL; without one, both are refused. */
  readonly stagingStore?: StagingStore;
  /** Uploads, backups and other files; without one, operations with files are refused. */
  readonly fileStore?: FileStore;
  /** Passages of documents and reports; without one, search is refused. */
  readonly searchIndex?: SearchIndex;
  /** Vectors of texts, by which search and memory find near meanings. */
  readonly embedder?: Embedder;
  /** The model of AI operators; without one, operators that need it are refused. */
  readonly languageModel?: LanguageModel;
  /** The identity of the host, instead of accounts. */
  readonly identity?: Identity;
  /** Signs the sessions of accounts; a host with an identity of its own needs none. */
  readonly auth?: AuthSettings;
  /** Settings that differ from their defaults (platform section 20). */
  readonly settings?: GivenSettings;
  /** The mail port; without one, nothing is mailed. */
  readonly mail?: Mail;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** By default, unexpected errors are written to standard error with their stack (platform E-8). */
  readonly log?: Log;
}

/** Writes unexpected errors to standard error with their stack; the log of a host that provides none. */
export const errorLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, fields = {}) => console.error(`pacioli: ${message}`, fields),
};

/** Discards everything, for a host that does not want the errors either. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The pipeline of a deployment with its parts, for calls within the process. */
export interface Running extends ToolSet {
  readonly operations: readonly MountedOperation[];
  readonly graphql: GraphqlService;
}

/** Resolved on first use, because the schema is known only after the services. */
function createGraphqlReads(running: () => Running): GraphqlReads {
  return {
    get sdl() {
      return running().graphql.sdl;
    },
    run: ({ query, variables = null, serviceUrl: origin, ...call }) => {
      const { kernel: pipeline, graphql } = running();
      return callGraphql(pipeline, graphql, { ...call, origin, input: { query, variables }, facts: {} });
    },
  };
}

interface Facts {
  readonly version: string;
  readonly plugins: readonly { readonly name: string; readonly version: string }[];
  readonly domains: Domains;
  readonly analytical: () => AnalyticalSchema;
  readonly migrations: readonly MigrationSet[];
  readonly shortLivedRuns: readonly ShortLivedRun[];
  readonly isSubscribed: (event: string) => boolean;
  /** Validates schemas against the JSON Schema rules before use, in tests. */
  readonly checksSchemas: boolean;
  /** The pipeline with the operations of the set; resolved when the first one is started in-process. */
  readonly running: () => Running;
}

/** The services of the host: its drivers, clock and settings. */
export function hostServices(parts: HostParts, facts: Facts): readonly Provider[] {
  const clock = parts.clock ?? systemClock;
  const settings = settingsOf(parts.settings);
  (parts.identity ?? accountIdentity).check?.(settings);
  const value = <T>(token: Token<T>, made: T): Provider => provide(token, { create: () => made });
  return [
    value(kernel.store, parts.store),
    value(kernel.clock, clock),
    value(kernel.ids, parts.ids ?? ulidIds(clock)),
    value(kernel.log, parts.log ?? errorLog),
    value(kernel.domains, facts.domains),
    value(kernelSettings, settings),
    value(mail, parts.mail ?? noMail),
    value(signingKeys, signingKeysFrom(parts.auth?.jwtSecret)),
    provide(eventPublisher, {
      services: { ids: kernel.ids, clock: kernel.clock },
      create: (use): EventPublisher => new OutboxPublisher({ ...use, isSubscribed: facts.isSubscribed }),
    }),
    provide(operationRuns, { create: () => createOperationRuns(facts.running) }),
    provide(resultRestorer, { create: () => createResultRestorer(facts.running) }),
    provide(toolCatalog, {
      services: { operations, runs: operationRuns, domains: kernel.domains, clock: kernel.clock },
      create: (use) => new AssembledCatalog(facts.running, use),
    }),
    provide(toolRuns, {
      services: { operations, settings: kernelSettings, shortLived: shortLivedRuns },
      create: (use) => new StoredToolRuns(facts.running, use),
    }),
    provide(graphqlReads, { create: () => createGraphqlReads(facts.running) }),
    value(deployedMigrations, facts.migrations),
    value(shortLivedRuns, facts.shortLivedRuns),
    provide(kernel.analyticalSchema, { create: facts.analytical }),
    provide(schemaValidator, { create: () => new SchemaValidator({ checksSchemas: facts.checksSchemas }) }),
    provide(statusService, {
      services: { store: kernel.store, clock: kernel.clock, checks: healthChecks, settings: kernelSettings },
      create: ({ settings, ...use }): StatusService => {
        const plugins = settings.status.showPlugins ? facts.plugins : undefined;
        return new StoredStatus({ ...use, version: facts.version, plugins });
      },
    }),
    ...(parts.auth === undefined ? [] : [value(authSettings, checkAuthSettings(parts.auth))]),
    ...(parts.graphStore === undefined ? [] : [value(kernel.graphStore, parts.graphStore)]),
    value(graphEngine, engineOf(parts.graphStore)),
    value(kernel.fileStore, parts.fileStore ?? noFileStore),
    value(kernel.stagingStore, parts.stagingStore ?? noStagingStore),
    value(kernel.searchIndex, parts.searchIndex ?? noSearchIndex),
    value(kernel.embedder, parts.embedder ?? noEmbedder),
    value(kernel.languageModel, parts.languageModel ?? noLanguageModel),
  ];
}

/** A deployment without graph queries offers the tiers of the embedded engine. */
const engineOf = (graphStore: GraphStore | undefined): GraphEngine =>
  graphStore === undefined
    ? { driver: 'ladybug', types: 'all' }
    : { driver: graphStore.driver, types: graphStore.capabilities.types };

/** Provides the same tokens without implementations, for a set that is only described. */
export function hostTokens(): readonly Provider[] {
  const tokens: readonly Token<unknown>[] = [
    kernel.store,
    kernel.clock,
    kernel.ids,
    kernel.log,
    kernel.domains,
    kernel.graphStore,
    kernel.fileStore,
    kernel.stagingStore,
    kernel.searchIndex,
    kernel.embedder,
    kernel.languageModel,
    kernel.analyticalSchema,
    graphEngine,
    deployedMigrations,
    shortLivedRuns,
    authSettings,
    kernelSettings,
    mail,
    signingKeys,
    eventPublisher,
    operationRuns,
    resultRestorer,
    toolCatalog,
    toolRuns,
    graphqlReads,
    schemaValidator,
    statusService,
  ];
  return tokens.map((token) =>
    provide(token, {
      create: () => {
        throw new Error(`${token.id} is not available: this set of plugins is described, not started.`);
      },
    }),
  );
}
