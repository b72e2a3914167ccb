import type { Caller, Graph } from '../define/context.ts';
import type { Answer, Route, RouteContext, RouteEntry, StreamAnswer } from '../define/route.ts';
import { validationFailure } from '../errors/to-wire.ts';
import { urlForCaller } from '../settings/kernel-settings.ts';
import { type Call, type HttpAnswer, type HttpRequest, readJson } from './http.ts';
import {
  admit,
  bearerToken,
  checkAnswer,
  enter,
  factsOf,
  identify,
  type Kernel,
  type LazyServices,
  requireAccountWide,
  trafficCallOf,
  validInput,
} from './kernel.ts';

/** Enters calls of routes whose handlers authenticate them, because their refusals have a form of their own. */
function routeEntry(kernel: Kernel, call: Call, category: string): RouteEntry {
  const requirements = { accepts: [], category };
  const count = async (caller: Caller | undefined, graph: Graph | undefined): Promise<void> => {
    Object.assign(call.notes.headers, await admit(kernel, trafficCallOf(call, requirements, caller, graph)));
  };
  return {
    authenticate: (accepts) => identify(kernel, call, { ...requirements, accepts, isOptional: true }),
    refused: () => count(undefined, undefined),
    graph: async (caller, graphId) => {
      const graph = await kernel.access.enterGraph(caller, graphId, factsOf(call));
      call.notes.graphId = graph.id;
      return graph;
    },
    admit: (caller, graph) => {
      call.notes.caller = caller;
      return count(caller, graph);
    },
  };
}

/** A route with its path in this deployment. */
export interface MountedRoute {
  readonly route: Route;
  readonly use: LazyServices;
}

/** Runs one REST call: authenticate, tenant, role, validate, handle, respond. */
export async function runRoute(kernel: Kernel, mounted: MountedRoute, request: Call): Promise<HttpAnswer> {
  const { route } = mounted;
  const ctx = await routeContext(kernel, route, request);
  await route.precheck?.({ params: request.params, ctx, use: mounted.use() });
  const query =
    route.query === undefined ? {} : validInput(kernel, route.query, Object.fromEntries(request.query), 'query');
  const body =
    route.body === undefined ? undefined : validInput(kernel, route.body, await bodyOf(route, request), 'body');
  const given = await route.handle({ params: request.params, query, body, ctx, use: mounted.use() });
  return toAnswer(kernel, route, given);
}

async function routeContext(kernel: Kernel, route: Route, request: Call): Promise<RouteContext> {
  const { caller: principal, graph } = await enter(kernel, request, {
    accepts: route.auth,
    isOptional: route.authOptional === true,
    category: route.category,
    ...(route.limit === undefined ? {} : { limit: route.limit }),
    ...(route.role === undefined ? {} : { role: route.role }),
    isAllowedWhileBlocked: route.whileBlocked === true,
    isFormerAllowed: route.onFormerGraphs === true,
    isLibraryAllowed: false,
  });
  if (principal !== undefined && graph === undefined && route.scopedKeys !== true)
    requireAccountWide(kernel, principal, request);
  return {
    caller: principal as RouteContext['caller'], // Anonymous routes read `principal` instead.
    principal,
    graph,
    bearerToken: bearerToken(request),
    requestId: request.requestId,
    signal: request.signal,
    log: kernel.log,
    now: () => kernel.clock.now(),
    ip: request.ip,
    userAgent: request.header('user-agent') ?? '',
    rawBody: route.rawBody === true ? await request.readBody({ isRaw: true }) : '',
    bodyStream: () => request.streamBody(),
    readBody: () => request.readBody(),
    entry: (category) => routeEntry(kernel, request, category),
    origin: request.origin,
    serviceUrl: urlForCaller(kernel.settings, request.origin),
    repeatedQuery: repeatedNames(request.query),
    header: (name) => request.header(name),
  };
}

function repeatedNames(query: URLSearchParams): readonly string[] {
  const names = [...query.keys()];
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

async function bodyOf(route: Route, request: HttpRequest): Promise<unknown> {
  const body = await readJson(request, { exactIntegers: route.exactIntegers === true });
  if (body !== undefined) return body;
  if (route.bodyRequired === false) return {};
  throw validationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
}

function toAnswer(kernel: Kernel, route: Route, given: unknown): HttpAnswer {
  if (isStream(given)) return { status: given.status, headers: given.headers ?? {}, stream: given };
  if (isAnswer(given) && given.json !== undefined)
    return { status: given.status, headers: given.headers ?? {}, json: given.json };
  const normal = Number(Object.keys(route.answers)[0] ?? 200);
  const { status, headers, body } = isAnswer(given)
    ? { headers: {}, ...given }
    : { status: normal, headers: {}, body: given };
  const schema = route.answers[status];
  if (schema !== undefined && schema !== null) checkAnswer(kernel, route.name, schema, body);
  return { status, headers, ...(body === undefined ? {} : { body }) };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'answer' && 'status' in value;
}

function isStream(value: unknown): value is StreamAnswer {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'stream' && 'chunks' in value;
}
