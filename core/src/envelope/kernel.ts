import type { RequestFacts } from '../audit/security-audit.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import type { Caller, Graph, Log } from '../define/context.ts';
import type { Operation } from '../define/operation.ts';
import type { RequiredRole } from '../define/required-role.ts';
import type { AuthKind } from '../define/route.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import { hostPassHeader, type Traffic, type TrafficCall } from '../limits/traffic.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Schema } from '../schema/model.ts';
import type { InputSource, SchemaValidator } from '../schema/validate.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Store } from '../store/store.ts';
import { libraryGraphId } from '../tenancy/graph-id.ts';
import type { Usage } from '../usage/usage.ts';
import type { Call, HttpRequest } from './http.ts';

/** What the pipelines of operations, views, routes and GraphQL share. */
export interface Kernel {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly validator: SchemaValidator;
  readonly authenticator: Authenticator;
  readonly traffic: Traffic;
  readonly metrics: Metrics;
  readonly usage: Usage;
  readonly settings: KernelSettings;
  /** Events that some job of this deployment subscribes to; others are not stored. */
  readonly subscribedEvents: ReadonlySet<string>;
  /** In tests a wrong answer throws; in production it is reported and sent. */
  readonly checkAnswers: 'throw' | 'report';
  /** Tells the worker of this process that a run was queued; those of others look every second. */
  wakeWorker(): void;
  /** Tells the relay of this process that events wait in the outbox. */
  wakeRelay(): void;
}

/** Resolves the services of a part when it is first called. */
export type UseParts = () => Readonly<Record<string, unknown>>;

/** Checks an input and fills in its defaults, or fails with the issues. */
export function validInput(kernel: Kernel, schema: Schema, value: unknown, source: InputSource): unknown {
  const checked = kernel.validator.check(schema, value, source);
  if (!checked.ok) throw validationFailure(checked.issues);
  return checked.value;
}

/** Checks what a part is about to send. An undeclared answer is our fault and never the caller's. */
export function checkAnswer(kernel: Kernel, name: string, schema: Schema, value: unknown): void {
  const checked = kernel.validator.check(schema, value, 'body');
  if (checked.ok) return;
  const summary = checked.issues.slice(0, 5).map((issue) => `${issue.loc.join('.')}: ${issue.msg}`);
  if (kernel.checkAnswers === 'throw')
    throw new Error(`The answer of ${name} does not match its model: ${summary.join('; ')}`);
  kernel.log.error('an answer does not match its model', { part: name, issues: summary });
}

/** How a part is entered: which credentials, which limits, which role on which graph. */
export interface Door {
  readonly accepts: readonly AuthKind[];
  /** Nobody needs a credential; one that is sent is still checked. */
  readonly isOptional?: boolean;
  readonly category: string | null;
  readonly limit?: TrafficCall['limit'];
  /** The role needed on the graph of the path; without it the path has no graph, or the part decides. */
  readonly role?: RequiredRole;
}

/** Who calls, within his limits, and the graph of the path with his role, in the order of platform N-7. */
export async function enter(
  kernel: Kernel,
  call: Call,
  door: Door,
): Promise<{ readonly caller: Caller | undefined; readonly graph: Graph | undefined }> {
  const caller = await identify(kernel, call, door);
  const hasGraph = caller !== undefined && door.role !== undefined && call.params['graph_id'] !== undefined;
  let graph: Graph | undefined;
  try {
    graph = hasGraph ? await findGraph(kernel, caller, call) : undefined;
  } finally {
    // Also a caller who may not enter is counted, so that ids cannot be probed without end.
    Object.assign(call.notes.headers, await admit(kernel, trafficOf(call, door, caller, graph)));
  }
  if (caller !== undefined && graph !== undefined && door.role !== undefined) {
    kernel.authenticator.requireRole(caller, graph, door.role, factsOf(call));
    if (graph.isPastDue === true) call.notes.headers['X-Billing-Status'] = 'past_due';
  }
  return { caller, graph };
}

async function identify(kernel: Kernel, call: Call, door: Door): Promise<Caller | undefined> {
  if (door.accepts.length === 0) return undefined;
  try {
    const caller = await findCaller(kernel, call, door.accepts);
    if (caller === undefined && door.isOptional !== true) {
      throw new ServiceError('unauthenticated', 'UNAUTHORIZED', 'Authentication required', {
        headers: { 'WWW-Authenticate': 'Bearer, ApiKey' },
      });
    }
    call.notes.caller = caller;
    return caller;
  } catch (error) {
    // A stranger at a closed door is counted by his address (platform R-6).
    if (isServiceError(error) && error.kind === 'unauthenticated') {
      Object.assign(call.notes.headers, await admit(kernel, trafficOf(call, door, undefined, undefined)));
    }
    throw error;
  }
}

async function admit(kernel: Kernel, call: TrafficCall): Promise<Readonly<Record<string, string>>> {
  try {
    return await kernel.traffic.admit(call);
  } catch (error) {
    if (isServiceError(error) && error.kind === 'rate_limited') kernel.metrics.rateLimited(call.category ?? 'none');
    throw error;
  }
}

function trafficOf(call: Call, door: Door, caller: Caller | undefined, graph: Graph | undefined): TrafficCall {
  const { ip, endpoint, requestId } = call;
  return {
    category: door.category,
    ...(door.limit === undefined ? {} : { limit: door.limit }),
    caller,
    graph,
    isPublic: door.accepts.length === 0 || door.isOptional === true,
    ip,
    endpoint,
    requestId,
    pass: call.header(hostPassHeader),
  };
}

async function findGraph(kernel: Kernel, caller: Caller, call: Call): Promise<Graph> {
  const graph = await kernel.authenticator.enterGraph(caller, call.params['graph_id'] ?? '', factsOf(call));
  call.notes.graphId = graph.id;
  return graph;
}

/** Who calls, or undefined without a credential; a bad credential is 401 (platform ). */
async function findCaller(
  kernel: Kernel,
  request: HttpRequest,
  accepts: readonly AuthKind[],
): Promise<Caller | undefined> {
  const bearer = bearerToken(request);
  const apiKey = request.header('x-api-key');
  const queryToken = accepts.includes('token-in-query') ? (request.query.get('token') ?? undefined) : undefined;
  return kernel.authenticator.authenticate(
    {
      ...(bearer === undefined ? {} : { bearer }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(queryToken === undefined ? {} : { queryToken }),
    },
    accepts,
    factsOf(request),
  );
}

/** Where a request came from, for the security audit. */
function factsOf(request: HttpRequest): RequestFacts {
  return {
    ip: request.ip,
    endpoint: request.endpoint,
    requestId: request.requestId,
    userAgent: request.header('user-agent') ?? '',
  };
}

/** Refuses a key that is bound to one graph on a path that has none (platform K-3). */
export function requireAccountWide(kernel: Kernel, caller: Caller, request: HttpRequest): void {
  kernel.authenticator.requireAccountWide(caller, factsOf(request));
}

/** Refuses a role in the organisation that is too weak for an operation without a graph in its path (platform P-2). */
export function requireOrgRole(kernel: Kernel, caller: Caller, operation: Operation, request: HttpRequest): void {
  kernel.authenticator.requireOrgRole(caller, operation.role, operation.refusal, factsOf(request));
}

export function bearerToken(request: HttpRequest): string | undefined {
  const header = request.header('authorization');
  if (header === undefined) return undefined;
  return /^bearer\s+(.+)$/i.exec(header.trim())?.[1]?.trim() ?? '';
}

/** The graph must have been created with the domain (platform N-7); the library has none (taxonomy LB-13). */
export function requireDomain(graph: Graph, domain: string | undefined): void {
  if (domain === undefined || graph.extensions.includes(domain)) return;
  const message =
    graph.id === libraryGraphId
      ? `The library is read through GraphQL and has no ${domain}. Use a graph of your own.`
      : `This graph was created without ${domain}. Create a graph with it in metadata.schema_extensions.`;
  throw new ServiceError('forbidden', 'EXTENSION_NOT_PROVISIONED', message);
}
