import type { RequestFacts } from '../audit/security-audit.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { authenticationRequired } from '../auth/refusals.ts';
import type { Caller, Graph, Log } from '../define/context.ts';
import type { Operation } from '../define/operation.ts';
import type { RequiredRole } from '../define/required-role.ts';
import type { AuthKind } from '../define/route.ts';
import { hasRecordsOfAny, missingExtension } from '../errors/missing-extension.ts';
import { isServiceError, notFound, ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import type { GraphSlots } from '../limits/graph-slots.ts';
import { hostPassHeader, type Traffic, type TrafficCall } from '../limits/traffic.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Schema } from '../schema/model.ts';
import type { InputSource, SchemaValidator } from '../schema/validate.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Store } from '../store/store.ts';
import type { GraphAccess } from '../tenancy/graph-access.ts';
import type { Usage } from '../usage/usage.ts';
import type { Call, HttpRequest } from './http.ts';

/** The kernel services that the pipelines of operations, views, routes and GraphQL share. */
export interface Kernel {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly validator: SchemaValidator;
  readonly authenticator: Authenticator;
  readonly access: GraphAccess;
  readonly traffic: Traffic;
  readonly metrics: Metrics;
  readonly usage: Usage;
  readonly settings: KernelSettings;
  /** Slots of the operations of a graph, and of its reads: those of one kind do not wait for the other. */
  readonly slots: { readonly operations: GraphSlots; readonly reads: GraphSlots };
  /** Names of the events to which a job of this deployment subscribes; others are not written to the outbox. */
  readonly subscribedEvents: ReadonlySet<string>;
  /** In tests an invalid response throws; in production it is logged and sent. */
  readonly checkAnswers: 'throw' | 'report';
  /** Notifies the worker of this process that a run was queued; other processes poll every second. */
  wakeWorker(): void;
  /** Notifies the relay of this process that the outbox has events. */
  wakeRelay(): void;
}

/** Returns the services that a part declared, by their names in it; resolves them on first use. */
export type LazyServices = () => Readonly<Record<string, unknown>>;

/** Returns the input with defaults filled in; throws 422 with the issues if it is invalid. */
export function validInput(kernel: Kernel, schema: Schema, value: unknown, source: InputSource): unknown {
  const checked = kernel.validator.check(schema, value, source);
  if (!checked.ok) throw validationFailure(checked.issues);
  return checked.value;
}

/** Validates the response of a part against its model. A mismatch is a defect of the service, never a 4xx. */
export function checkAnswer(kernel: Kernel, name: string, schema: Schema, value: unknown): void {
  const checked = kernel.validator.check(schema, value, 'body');
  if (checked.ok) return;
  const summary = checked.issues.slice(0, 5).map((issue) => `${issue.loc.join('.')}: ${issue.msg}`);
  if (kernel.checkAnswers === 'throw')
    throw new Error(`The response of ${name} does not match its model: ${summary.join('; ')}`);
  kernel.log.error('a response does not match its model', { part: name, issues: summary });
}

/** The requirements that a call must meet before its part runs: credentials, rate limits, and the role on the graph. */
export interface EntryRequirements {
  readonly accepts: readonly AuthKind[];
  /** Allows calls without a credential; one that is sent must still be valid. */
  readonly isOptional?: boolean;
  /** The rate category; null for a part that has only its own `limit` or none. */
  readonly category: string | null;
  readonly limit?: TrafficCall['limit'];
  /** The role required on the graph of the path; absent if the path has no graph or the part decides. */
  readonly role?: RequiredRole;
  /** Replaces the standard message for a caller whose role is too weak. */
  readonly refusal?: string | undefined;
  /** The call is allowed while the subscription of the graph blocks writes. */
  readonly isAllowedWhileBlocked?: boolean;
  /** The call is allowed on a deleted graph, for owners and admins of its organization (graphs B-15). */
  readonly isFormerAllowed?: boolean;
  /** False refuses the library with 404: for routes, and for operations of no domain (graphs G-4). */
  readonly isLibraryAllowed?: boolean;
}

/** Authenticates the caller, applies rate limits, and checks graph and role, in the order of platform N-7. */
export async function enter(
  kernel: Kernel,
  call: Call,
  requirements: EntryRequirements,
): Promise<{ readonly caller: Caller | undefined; readonly graph: Graph | undefined }> {
  const caller = await identify(kernel, call, requirements);
  const hasGraph = caller !== undefined && requirements.role !== undefined && call.params['graph_id'] !== undefined;
  let graph: Graph | undefined;
  try {
    graph = hasGraph ? await findGraph(kernel, caller, call, requirements) : undefined;
  } finally {
    // Also counts a call that findGraph rejects, so that graph ids cannot be guessed without limit.
    Object.assign(call.notes.headers, await admit(kernel, trafficCallOf(call, requirements, caller, graph)));
  }
  if (graph?.type === 'library' && requirements.isLibraryAllowed === false) throw notFound('Graph not found.');
  if (caller !== undefined && graph !== undefined && requirements.role !== undefined) {
    const { writeBlock: _block, ...unblocked } = graph;
    const judged = requirements.isAllowedWhileBlocked === true ? unblocked : graph;
    kernel.access.requireRole(caller, judged, requirements.role, factsOf(call), requirements.refusal);
    if (graph.isPastDue === true) call.notes.headers['X-Billing-Status'] = 'past_due';
  }
  return { caller, graph };
}

/** Returns the caller of a request. A failed authentication counts against the address (platform R-6). */
export async function identify(
  kernel: Kernel,
  call: Call,
  requirements: EntryRequirements,
): Promise<Caller | undefined> {
  if (requirements.accepts.length === 0) return undefined;
  try {
    const caller = await findCaller(kernel, call, requirements.accepts);
    if (caller === undefined && requirements.isOptional !== true) {
      throw authenticationRequired();
    }
    call.notes.caller = caller;
    return caller;
  } catch (error) {
    // A failed authentication counts against the client address (platform R-6).
    if (isServiceError(error) && error.kind === 'unauthenticated') {
      Object.assign(call.notes.headers, await admit(kernel, trafficCallOf(call, requirements, undefined, undefined)));
    }
    throw error;
  }
}

/** Applies the rate limits to a call, and returns its response headers. */
export async function admit(kernel: Kernel, call: TrafficCall): Promise<Readonly<Record<string, string>>> {
  try {
    return await kernel.traffic.admit(call);
  } catch (error) {
    if (isServiceError(error) && error.kind === 'rate_limited') kernel.metrics.rateLimited(call.category ?? 'none');
    throw error;
  }
}

/** The facts of a call that rate limits depend on. */
export function trafficCallOf(
  call: Call,
  requirements: EntryRequirements,
  caller: Caller | undefined,
  graph: Graph | undefined,
): TrafficCall {
  const { ip, endpoint, requestId } = call;
  return {
    category: requirements.category,
    ...(requirements.limit === undefined ? {} : { limit: requirements.limit }),
    caller,
    graph,
    isPublic: requirements.accepts.length === 0 || requirements.isOptional === true,
    ip,
    endpoint,
    requestId,
    pass: call.header(hostPassHeader),
  };
}

async function findGraph(
  kernel: Kernel,
  caller: Caller,
  call: Call,
  { isFormerAllowed = false }: EntryRequirements,
): Promise<Graph> {
  const graphId = call.params['graph_id'] ?? '';
  const graph = await kernel.access.enterGraph(caller, graphId, factsOf(call), { isFormerAllowed });
  call.notes.graphId = graph.id;
  return graph;
}

/** Returns the caller, or undefined without a credential; a bad credential is 401 (platform ). */
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

/** Extracts the origin of a request for the security audit. */
export function factsOf(request: HttpRequest): RequestFacts {
  return {
    ip: request.ip,
    endpoint: request.endpoint,
    requestId: request.requestId,
    userAgent: request.header('user-agent') ?? '',
  };
}

/** Refuses a key that is bound to one graph on a path that has none (platform K-3). */
export function requireAccountWide(kernel: Kernel, caller: Caller, request: HttpRequest): void {
  kernel.access.requireAccountWide(caller, factsOf(request));
}

/** Refuses a role in the organization that is too weak for an operation without a graph in its path (platform P-2). */
export function requireOrgRole(kernel: Kernel, caller: Caller, operation: Operation, request: HttpRequest): void {
  kernel.access.requireOrgRole(caller, operation.role, operation.refusal, factsOf(request));
}

export function bearerToken(request: HttpRequest): string | undefined {
  const header = request.header('authorization');
  if (header === undefined) return undefined;
  return /^bearer\s+(.+)$/i.exec(header.trim())?.[1]?.trim() ?? '';
}

/** Requires that the graph has the domain or one of the alternatives (platform N-7). */
export function requireDomain(graph: Graph, domain: string | undefined, alternatives: readonly string[] = []): void {
  if (domain === undefined || hasRecordsOfAny(graph, [domain, ...alternatives])) return;
  throw new ServiceError('forbidden', 'EXTENSION_NOT_PROVISIONED', missingExtension(graph, domain));
}
