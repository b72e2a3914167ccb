import { all } from '../all.gen.ts';
import { auditProviders } from '../audit/security-audit.ts';
import { authenticator } from '../auth/authenticator.ts';
import type { Identity } from '../auth/identity.ts';
import { type Provider, provide } from '../container/provider.ts';
import { creditProviders } from '../credits/credit-providers.ts';
import { definePlugin, type Plugin } from '../define/plugin.ts';
import { resultRestorer } from '../envelope/result-restorer.ts';
import { FileTransfers, fileTransfers } from '../files/file-transfers.ts';
import { accountIdentity } from '../identity/index.ts';
import { deployedMigrations, GraphRemovals, graphRemovals } from '../jobs/graph-removals.ts';
import { workerCheck } from '../jobs/heartbeat.ts';
import { operations, StoredOperations } from '../jobs/operations.ts';
import { limitProviders } from '../limits/limit-providers.ts';
import { Metrics, metrics } from '../metrics/metrics.ts';
import { schemaValidator } from '../schema/validate.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { changeFeed, StoredChangeFeed } from '../sse/change-feed.ts';
import { operationStreams, StoredOperationStreams } from '../sse/streams.ts';
import type { TableAccess } from '../store/store.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { graphRemovalSteps } from '../tenancy/graph-removal-step.ts';
import { tenancyProviders } from '../tenancy/tenancy-providers.ts';

/** The version that the `kernel` range of plugins refers to. */
export const kernelVersion = '0.1.0';

const ofKernelAndGraph: TableAccess = { rows: 'kernel', graphScope: 'own-rows' };

const kernelProviders: readonly Provider[] = [
  ...auditProviders,
  ...tenancyProviders,
  ...limitProviders,
  ...creditProviders,
  provide(operations, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      access: graphAccess,
      validator: schemaValidator,
      restorer: resultRestorer,
      settings: kernelSettings,
    },
    create: (use) => new StoredOperations(use),
  }),
  provide(graphRemovals, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      log: kernel.log,
      graphs: kernel.graphs,
      events: eventPublisher,
      steps: graphRemovalSteps,
      sets: deployedMigrations,
    },
    create: (use) => new GraphRemovals(use),
  }),
  provide(operationStreams, {
    services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, operations, settings: kernelSettings },
    create: (use) => new StoredOperationStreams(use),
    stop: (service) => service.close(),
  }),
  provide(changeFeed, {
    services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, access: graphAccess, authenticator },
    create: (use) => new StoredChangeFeed(use),
    stop: (service) => service.close(),
  }),
  provide(fileTransfers, { services: { files: kernel.fileStore }, create: (use) => new FileTransfers(use.files) }),
  provide(metrics, {
    services: { store: kernel.store, streams: operationStreams },
    create: (use) => new Metrics(use),
  }),
];

const parts = {
  name: 'kernel',
  title: 'Kernel',
  version: kernelVersion,
  kernel: `^${kernelVersion}`,
  migrations: new URL('../migrations/', import.meta.url),
  tables: {
    '*': { rows: 'kernel' },
    kernel_chain: { ...ofKernelAndGraph, application: 'read' },
    kernel_chain_batch: { ...ofKernelAndGraph, application: 'read' },
    kernel_credit_pool: ofKernelAndGraph,
    kernel_credit_transaction: ofKernelAndGraph,
    kernel_file_transfer: ofKernelAndGraph,
    kernel_graph: ofKernelAndGraph,
    kernel_graph_schema: ofKernelAndGraph,
    kernel_idempotency: ofKernelAndGraph,
    kernel_operation: ofKernelAndGraph,
    kernel_subgraph: ofKernelAndGraph,
    kernel_operation_audit: { ...ofKernelAndGraph, application: 'append' },
    kernel_outbox: ofKernelAndGraph,
    kernel_security_audit: { rows: 'kernel', application: 'append' },
    kernel_usage_event: ofKernelAndGraph,
  },
  // Sealing and expiry change rows of append-only tables.
  securityDefinerFunctions: [
    'kernel_seal_chain',
    'kernel_expire_audit',
    'kernel_expire_single_seals',
    'kernel_security_audit_chain_link',
    'kernel_operation_audit_chain_link',
  ],
  // The pipelines resolve it for every request, so a set with an identity without it must not start.
  services: { authenticator },
  // Returns only a count of runs, no data of any graph.
  kernelScopeFunctions: ['kernel_open_runs_of_user'],
} as const;

/** The parts of the kernel with those of an identity, in the form of a plugin. */
export function kernelPluginWith(identity: Identity): Plugin {
  return definePlugin({
    ...parts,
    providers: [...kernelProviders, ...identity.providers],
    contributions: [workerCheck, ...identity.contributions],
    operations: all.operations,
    queries: all.queries,
    routes: [...all.routes, ...identity.routes],
    tools: all.tools,
    jobs: [...all.jobs, ...identity.jobs],
    events: [...all.events, ...identity.events],
  });
}

/** The kernel of a host without an identity of its own. */
export const kernelPlugin: Plugin = kernelPluginWith(accountIdentity);
