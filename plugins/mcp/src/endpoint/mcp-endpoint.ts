import {
  type Caller,
  type Graph,
  isServiceError,
  type ListedTool,
  notFound,
  type RouteContext,
  type RouteEntry,
  type ServiceError,
  type StreamAnswer,
  type ToolCatalog,
  type ToolRuns,
} from '@pacioli/core';
import { authorize, challenge, type McpTokens } from '../authorization/index.ts';
import type { ChangeStreams } from '../listen/index.ts';
import {
  type Answer,
  accepted,
  codes,
  type GateSettings,
  type Message,
  paramsProblem,
  readMessage,
  refusedByHeaders,
  rpcError,
  rpcResult,
} from '../protocol/index.ts';
import {
  type Confirmations,
  createServer,
  DirectAnswers,
  type McpScope,
  plainRequest,
  requestIdOf,
  toolsOf,
} from '../server/index.ts';
import { isTaskCall, withoutContent } from '../tasks/index.ts';
import { type Exchange, exchangeStateless, exchangeWithHandshake, serveChanges, toAnswer } from './exchange.ts';

/** The rate limit of the endpoints (ai-surface 4.3). */
const category = 'graph_mcp';

/** The endpoint that a request was sent to. */
export interface Place {
  /** The path as the client called it, without the prefix of the service. */
  readonly path: string;
  /** The graph of the URL; undefined where the access token names it. */
  readonly graphId: string | undefined;
  readonly profile: string | undefined;
}

export interface McpEndpointServices {
  readonly catalog: ToolCatalog;
  readonly runs: ToolRuns;
  readonly tokens: McpTokens;
  readonly confirmations: Confirmations;
  readonly changes: ChangeStreams;
  readonly domains: { resolve(wireName: string): string | undefined };
  readonly gate: GateSettings;
  readonly version: string;
}

/** Answers requests of the Model Context Protocol at the three endpoints (ai-surface 4.1). */
export class McpEndpoint {
  readonly #use: McpEndpointServices;
  readonly #direct: DirectAnswers;

  constructor(use: McpEndpointServices) {
    this.#use = use;
    this.#direct = new DirectAnswers(use);
  }

  async answer(ctx: RouteContext, place: Place): Promise<Answer | StreamAnswer> {
    const { profile } = place;
    // The graph of these endpoints is that of an access token, so they do not exist without tokens (ai-surface 6).
    if (place.graphId === undefined && !this.#use.tokens.isOn) throw notFound('Not Found');
    if (profile !== undefined && this.#use.domains.resolve(profile) === undefined) throw notFound('Not Found');
    const refusal = refusedByHeaders(ctx, this.#use.gate);
    if (refusal !== undefined) return refusal;
    const received = await readMessage(ctx);
    if ('refusal' in received) return received.refusal;
    const entry = ctx.entry(category);
    const { caller, grantedGraphId } = await authorize(ctx, entry, endpointOf(place), this.#use.tokens);
    const graphId = place.graphId ?? grantedGraphId ?? '';
    const { graph, denial } = await enterGraph(entry, caller, graphId);
    await entry.admit(caller, graph);
    return this.#answerMessage(ctx, place, { ...received, caller, graphId, graph, denial });
  }

  async #answerMessage(ctx: RouteContext, place: Place, call: EnteredCall): Promise<Answer | StreamAnswer> {
    const { message, isStateless, caller, graphId, graph, denial } = call;
    const { id, method } = message;
    // Notifications, and responses of the client, get no answer (ai-surface M-6).
    if (id === undefined || method === undefined) return { kind: 'answer', status: 202 };
    if (method === 'ping' && !isStateless) return rpcResult(id, {});
    // The refusal of a call is a result, so that the model can tell the user (ai-surface M-9).
    if (denial !== undefined && method !== 'tools/call') return this.#denialAnswer(denial, id, ctx, place);
    const problem = paramsProblem(message);
    if (problem !== undefined && !isStateless) return rpcError(200, codes.invalidParams, problem, { id });
    const scope: McpScope = {
      caller,
      graphId,
      profile: place.profile,
      requestId: requestIdOf(ctx, message),
      origin: ctx.origin,
      signal: ctx.signal,
      isStreamed: accepted(ctx, 'text/event-stream') && ctx.header('accept') !== undefined,
      isStateless,
    };
    const tools = graph === undefined ? [] : await toolsOf(this.#use.catalog, scope);
    const header = (name: string): string | undefined => ctx.header(name);
    const plain = problem === undefined ? plainRequest({ message, isStateless, header, tools }) : undefined;
    if (plain !== undefined) return this.#direct.answer(scope, { graph, tools }, plain);
    const isTask = isTaskCall(message, tools, isStateless);
    const exchange: Exchange = {
      url: `${ctx.serviceUrl}${place.path}`,
      header,
      message,
      bound: { userId: caller.userId, graphId },
      signal: ctx.signal,
      isStreamed: scope.isStreamed && !isTask && isLongCall(message, tools),
      createServer: () => createServer(this.#use, scope, { graph, tools, method }),
    };
    if (!isStateless) return exchangeWithHandshake(exchange);
    if (method === 'subscriptions/listen' && graph !== undefined)
      return this.#listen(ctx, place, { ...call, graph }, { exchange, scope, tools });
    const answer = await exchangeStateless(exchange);
    // The official handler checks methods and headers first, but does not say which parameter is wrong (ai-surface M-7).
    const isRefused = problem !== undefined && answer.kind === 'answer' && isParamsError(answer.json);
    if (isRefused) return rpcError(400, codes.invalidParams, problem, { id });
    return isTask ? withoutContent(answer) : answer;
  }

  /** Opens a stream of changes, which repeats the checks of this request while it is open (ai-surface M-20f). */
  async #listen(
    ctx: RouteContext,
    place: Place,
    { message, caller, graph, graphId }: EnteredCall & { readonly graph: Graph },
    { exchange, scope, tools }: PreparedCall,
  ): Promise<Answer | StreamAnswer> {
    if (!accepted(ctx, 'text/event-stream'))
      return rpcError(406, codes.refused, 'Accept must include text/event-stream', { id: message.id ?? null });
    const answer = await this.#use.changes.open({
      message,
      caller,
      graph,
      tools,
      signal: ctx.signal,
      recheck: async () => {
        const entry = ctx.entry(category);
        const again = await authorize(ctx, entry, endpointOf(place), this.#use.tokens);
        await entry.graph(again.caller, graphId);
        return toolsOf(this.#use.catalog, { ...scope, caller: again.caller });
      },
      serve: (narrowed, bus) => serveChanges(exchange, narrowed, bus),
    });
    return answer instanceof Response ? toAnswer(answer) : answer;
  }

  /** The refusal of a graph as an error of JSON-RPC with the status of the refusal (ai-surface M-9). */
  #denialAnswer(denial: ServiceError, id: string | number, ctx: RouteContext, place: Place): Answer {
    const status = { forbidden: 403, not_found: 404 }[denial.kind as string] ?? 422;
    const header = challenge(ctx.serviceUrl, place.path, 'insufficient_scope', denial.message);
    const isChallenged = status === 403 && this.#use.tokens.isOn;
    return rpcError(status, codes.invalidRequest, denial.message, {
      id,
      ...(isChallenged ? { headers: { 'WWW-Authenticate': header } } : {}),
    });
  }
}

interface PreparedCall {
  readonly exchange: Exchange;
  readonly scope: McpScope;
  readonly tools: readonly ListedTool[];
}

function endpointOf({ path, graphId }: Place) {
  return { path, acceptsKeys: graphId !== undefined };
}

interface EnteredCall {
  readonly message: Message;
  readonly isStateless: boolean;
  readonly caller: Caller;
  readonly graphId: string;
  readonly graph: Graph | undefined;
  readonly denial: ServiceError | undefined;
}

/** Enters the graph; a refusal is returned, because its form depends on the method (ai-surface M-9). */
async function enterGraph(
  entry: RouteEntry,
  caller: Caller,
  graphId: string,
): Promise<{ readonly graph: Graph | undefined; readonly denial: ServiceError | undefined }> {
  try {
    return { graph: await entry.graph(caller, graphId), denial: undefined };
  } catch (error) {
    if (!isServiceError(error) || !['forbidden', 'not_found', 'invalid_input'].includes(error.kind)) throw error;
    return { graph: undefined, denial: error };
  }
}

function isParamsError(text = '{}'): boolean {
  const code = (JSON.parse(text) as { readonly error?: { readonly code?: unknown } }).error?.code;
  return code === codes.invalidParams || code === codes.internalError;
}

function isLongCall({ method, params }: Message, tools: readonly ListedTool[]): boolean {
  return method === 'tools/call' && tools.some(({ name, isLong }) => isLong && name === params?.['name']);
}
