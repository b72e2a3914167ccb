import { authenticator } from '../auth/authenticator.ts';
import type { Identity } from '../auth/identity.ts';
import { createServices, type Services } from '../container/container.ts';
import { type Provider, provide } from '../container/provider.ts';
import type { Plugin, StartContext } from '../define/plugin.ts';
import type { HttpAnswer, HttpRequest } from '../envelope/http.ts';
import type { Kernel } from '../envelope/kernel.ts';
import type { AuthSettings } from '../identity/index.ts';
import { Relay } from '../jobs/relay.ts';
import { Worker, workerLimits } from '../jobs/worker.ts';
import { GraphSlots } from '../limits/graph-slots.ts';
import { hostPassHeader, traffic } from '../limits/traffic.ts';
import { metrics } from '../metrics/metrics.ts';
import { schemaValidator } from '../schema/validate.ts';
import { kernel as tokens } from '../services/kernel-tokens.ts';
import { statusService } from '../services/status.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { changeFeed } from '../sse/change-feed.ts';
import { operationStreams } from '../sse/streams.ts';
import { type MigrationSet, StoreError } from '../store/store.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { usage } from '../usage/usage.ts';
import { type MountedCommand, mountCommands } from './commands.ts';
import { type Composition, compose, pluginsOf, requireNone, type SetOptions } from './compose.ts';
import { domainNames, type Endpoint } from './endpoints.ts';
import { type HostParts, hostServices, type Running } from './host-services.ts';
import { kernelVersion } from './kernel-plugin.ts';
import { hostOptionProblems } from './option-problems.ts';
import { answerRequest, type ExplorerPage, failedAnswer } from './respond.ts';

/** Accounts sign their sessions with `auth`; a host with its own identity has no such sessions. */
type HostIdentity =
  | { readonly auth: AuthSettings; readonly identity?: never }
  | { readonly identity: Identity; readonly auth?: never };

export type AssembleOptions = ServiceOptions & HostIdentity;

interface ServiceOptions extends SetOptions, HostParts {
  /**
   * `throw`, for tests, rejects a response that does not match its model, and a model that is invalid JSON Schema or
   * GraphQL. `report` logs and sends the response, and builds the GraphQL schema on its first request.
   */
  readonly checkAnswers?: 'throw' | 'report';
  /** False refuses to start on a database with pending migrations (platform H-4). */
  readonly autoMigrate?: boolean;
  /** False skips the start of plugins, for commands that inspect a database before this release changes it. */
  readonly autoStart?: boolean;
  /** The page of the GraphQL explorer; off unless the host provides one (platform E-21). */
  readonly explorer?: ExplorerPage;
}

/** A running deployment, for a host to serve; it does not listen itself. */
export interface Service {
  /** The setting `prefix`: the path below which a host mounts the endpoints. */
  readonly prefix: string;
  /** All endpoints, fixed segments before parameters. */
  readonly endpoints: readonly Endpoint[];
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly sdl: string;
  /** Handles a request. It never throws: a failure is a response. */
  handle(endpoint: Endpoint, request: HttpRequest): Promise<HttpAnswer>;
  /** The response to a request that matches no endpoint. */
  refuse(error: unknown, request: Pick<HttpRequest, 'requestId'>): HttpAnswer;
  /** The services of the deployment, for the host that embeds it. */
  readonly services: Services;
  /** The commands of the plugins, for a host with a command line; they need no start of the plugins. */
  readonly commands: readonly MountedCommand[];
  /** Headers that exempt the host's own calls from rate limits, valid in this process only. */
  readonly hostHeaders: Readonly<Record<string, string>>;
  /** Ends event streams and hands runs in progress to other processes; requests still work (platform H-5). */
  drain(): Promise<void>;
  /** Starts the queue worker and the relay of events in this process. */
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

/** Checks a set of plugins, prepares the database and starts them. Reports all problems before it starts anything. */
export async function assemble(options: AssembleOptions): Promise<Service> {
  requireNone(hostOptionProblems(options));
  let services: Services | undefined;
  let composition: Composition | undefined;
  let running: Running | undefined;
  const resolve = (tokensUsed: Plugin['services']) => {
    let use: Readonly<Record<string, unknown>> | undefined;
    return () => {
      use ??= services?.useFor(tokensUsed) ?? {};
      return use;
    };
  };
  const set = pluginsOf(options);
  const given = hostServices(options, {
    version: kernelVersion,
    plugins: set.map(({ name, version }) => ({ name, version })),
    domains: domainNames(set, options.aliases ?? {}),
    checksSchemas: options.checkAnswers === 'throw',
    analytical: () => composition?.analytical ?? { nodes: [], relationships: [] },
    migrations: migrationSets(set),
    shortLivedRuns: set.flatMap(({ runs }) =>
      runs.flatMap(({ name, keptSeconds }) => (keptSeconds === undefined ? [] : [{ name, keptSeconds }])),
    ),
    isSubscribed: (event) =>
      composition?.plugins.some(({ jobs }) => jobs.some(({ on }) => on?.name === event)) === true,
    running: () => {
      if (running === undefined) throw new Error('The deployment has not started yet, so it cannot run operations.');
      return running;
    },
  });
  const overridden = new Set((options.override ?? []).map((provider) => provider.token.id));
  const fromHost = [...given.filter((provider) => !overridden.has(provider.token.id)), ...(options.override ?? [])];
  composition = compose(options, fromHost, resolve);
  if (options.checkAnswers === 'throw') composition.graphql.check();
  services = createServices(
    [
      ...fromHost,
      ...composition.plugins
        .flatMap((plugin) => [...plugin.providers, ...configOf(plugin)])
        .filter((provider) => !overridden.has(provider.token.id)),
    ],
    composition.plugins.flatMap((plugin) => plugin.contributions),
  );
  await prepareStore(options, composition.plugins);
  services.resolve(statusService); // The uptime starts here.
  const made = serviceOf(options, composition, services);
  running = made.running;
  if (options.autoStart !== false) await startPlugins(composition.plugins, services);
  return made.service;
}

/** A plugin's configuration is a service: the host's values over the schema's defaults. */
function configOf(plugin: Plugin): readonly Provider[] {
  const { config } = plugin;
  if (config === undefined) return [];
  return [
    provide(config.token, {
      services: { validator: schemaValidator },
      create: ({ validator }) => {
        const value = structuredClone(config.value);
        validator.check(config.schema, value, 'body'); // Assembly found it valid; this fills in the defaults.
        return value;
      },
    }),
  ];
}

/** The migrations of a set, dependencies first. */
export function migrationSets(plugins: readonly Plugin[]): readonly MigrationSet[] {
  return plugins.flatMap(({ name, migrations, tables, securityDefinerFunctions, kernelScopeFunctions }) =>
    migrations === undefined
      ? []
      : [{ owner: name, folder: migrations, tables, securityDefinerFunctions, kernelScopeFunctions }],
  );
}

async function prepareStore(options: AssembleOptions, plugins: readonly Plugin[]): Promise<void> {
  const sets = migrationSets(plugins);
  if (options.autoMigrate !== false) {
    await options.store.migrate(sets);
    return;
  }
  const pending = await options.store.pendingMigrations(sets);
  if (pending.length === 0) return;
  const names = pending.map((migration) => `${migration.owner}/${migration.name}`).join(', ');
  throw new StoreError(
    'migration',
    `The database lacks these migrations: ${names}. Run "pacioli migrate" first, or start the server with autoMigrate on.`,
  );
}

async function startPlugins(plugins: readonly Plugin[], services: Services): Promise<void> {
  const ctx: StartContext = {
    log: services.resolve(tokens.log),
    signal: new AbortController().signal,
    now: () => services.resolve(tokens.clock).now(),
  };
  for (const plugin of plugins) {
    if (plugin.config !== undefined) services.resolve(plugin.config.token);
    await plugin.start?.({ use: services.useFor(plugin.services), ctx });
  }
}

function serviceOf(
  options: AssembleOptions,
  composition: Composition,
  services: Services,
): { readonly service: Service; readonly running: Running } {
  let worker: Worker | undefined;
  let relay: Relay | undefined;
  const jobs = composition.plugins.flatMap((plugin) =>
    plugin.jobs.map((job) => ({ job, use: () => services.useFor(job.services) })),
  );
  const settings = services.resolve(kernelSettings);
  const { maxRunningPerGraph: maxRunning, maxWaitingPerGraph: maxWaiting } = settings.operations;
  const kernel: Kernel = {
    store: options.store,
    clock: services.resolve(tokens.clock),
    ids: services.resolve(tokens.ids),
    log: services.resolve(tokens.log),
    validator: services.resolve(schemaValidator),
    authenticator: services.resolve(authenticator),
    access: services.resolve(graphAccess),
    traffic: services.resolve(traffic),
    metrics: services.resolve(metrics),
    usage: services.resolve(usage),
    settings,
    slots: {
      operations: new GraphSlots({ maxRunning, maxWaiting }),
      reads: new GraphSlots({ maxRunning, maxWaiting }),
    },
    subscribedEvents: new Set(jobs.flatMap(({ job }) => (job.on === undefined ? [] : [job.on.name]))),
    checkAnswers: options.checkAnswers ?? 'report',
    wakeWorker: () => worker?.wake(),
    wakeRelay: () => relay?.wake(),
  };
  const operations = [
    ...composition.endpoints.flatMap((endpoint) => (endpoint.kind === 'operation' ? [endpoint.mounted] : [])),
    ...composition.runs,
  ];
  const runs = new Map(composition.plugins.flatMap((plugin) => plugin.runs.map((run) => [run.name, run] as const)));
  const drain = async (): Promise<void> => {
    await relay?.stop();
    await worker?.stop();
    relay = undefined;
    worker = undefined;
    await Promise.all([services.resolve(operationStreams).close(), services.resolve(changeFeed).close()]);
  };
  const service: Service = {
    prefix: kernel.settings.prefix,
    endpoints: composition.endpoints,
    get openapi() {
      return composition.openapi;
    },
    get sdl() {
      return composition.graphql.sdl;
    },
    services,
    commands: mountCommands(composition.plugins, services),
    handle: (endpoint, request) => answerRequest(kernel, composition.graphql, options.explorer, endpoint, request),
    refuse: (error, request) => failedAnswer(kernel, error, request.requestId, 'list'),
    startWorker: async () => {
      if (worker !== undefined) return;
      const parts = operations
        .filter(({ operation }) => operation.runs === 'worker')
        .map((part) => ({ ...part, maxConcurrent: runs.get(part.operation.name)?.maxConcurrent }));
      worker = new Worker(kernel, services.resolve(tokens.graphs), parts, workerLimits(kernel.settings));
      relay = new Relay(kernel, jobs);
      await worker.start();
      await relay.start();
    },
    hostHeaders: { [hostPassHeader]: kernel.traffic.hostPass },
    drain,
    close: async () => {
      await drain();
      for (const plugin of [...composition.plugins].reverse())
        await plugin.stop?.({ use: services.useFor(plugin.services) });
      await services.stop();
    },
  };
  const { graphql, endpoints, tools, queries } = composition;
  return { service, running: { kernel, operations, graphql, endpoints, tools, queries } };
}
