import { ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import type { Graph, ListedTool, ToolCatalog, ToolRuns } from '@pacioli/core';
import { callResultOf, canAsk, stateless, withHandshake } from '../protocol/index.ts';
import { addTaskMethods, createdTask, declaresTasks, tasksExtension } from '../tasks/index.ts';
import { type Confirmations, refused } from './confirmation.ts';
import { isIdempotencyKey } from './idempotency-key.ts';
import { instructionsFor } from './instructions.ts';
import { promptMessages, promptsFor, unknownPrompt } from './prompts.ts';
import { readResource, resourcesFor, resourceTemplatesFor } from './resources.ts';
import { callTool, type McpScope, toolScopeOf } from './scope.ts';

/** The cache hints of lists: clients may keep them for 60,000 milliseconds, for one user (ai-surface M-20c). */
export const listHint = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** The services behind a server. */
interface ServerServices {
  readonly catalog: ToolCatalog;
  readonly runs: ToolRuns;
  readonly confirmations: Confirmations;
  readonly version: string;
}

/** The graph of a request, with the tools that the caller may use. */
export interface ServedGraph {
  /** Undefined for a tool call on a graph that the caller may not access; the catalog refuses that call. */
  readonly graph: Graph | undefined;
  readonly tools: readonly ListedTool[];
}

/** The methods whose results contain the instructions. */
const methodsWithInstructions: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * Makes the server of one request for `method`: there is no session, so nothing is kept between requests (ai-surface
 * M-1).
 */
export function createServer(
  use: ServerServices,
  scope: McpScope,
  { graph, tools, method }: ServedGraph & { readonly method: string },
): Server {
  const { graphId, isStateless } = scope;
  const server = new Server(serverInfoOf(scope, graph, use.version), {
    supportedProtocolVersions: isStateless ? [stateless] : [...withHandshake],
    capabilities: {
      // The older revisions have no stream on which a client could hear of changes (ai-surface M-1, M-20f).
      tools: { listChanged: isStateless },
      resources: isStateless ? { listChanged: true, subscribe: true } : {},
      prompts: {},
      ...(isStateless ? { extensions: { [tasksExtension]: {} } } : {}),
    },
    ...(graph !== undefined && methodsWithInstructions.has(method)
      ? { instructions: instructionsFor(graph, tools) }
      : {}),
    cacheHints: {
      'tools/list': listHint,
      'prompts/list': listHint,
      'resources/list': listHint,
      'resources/templates/list': listHint,
      'server/discover': listHint,
    },
    inputRequired: { legacyShim: false },
    requestState: { verify: use.confirmations.verify },
  });
  server.setRequestHandler('tools/list', ({ params }) => {
    requireFirstPage(params?.cursor);
    return { tools: tools.map(toolOf) };
  });
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    handleToolCall(use, scope, tools, { name: params.name, given: params.arguments }, ctx),
  );
  server.setRequestHandler('resources/list', ({ params }) => {
    requireFirstPage(params?.cursor);
    return { resources: resourcesFor(graphId, tools) };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resourceTemplatesFor(graphId, tools),
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    const read = await readResource(use.catalog, scope, params.uri);
    if (read === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown resource.', { uri: params.uri });
    return read;
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: promptsFor(tools) }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const messages = promptMessages(tools, params.name, params.arguments ?? {});
    if (messages === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownPrompt);
    return messages;
  });
  if (isStateless) addTaskMethods(server, use.runs, toolScopeOf(scope));
  return server;
}

/** The identity of the server of a graph (ai-surface M-10). */
export function serverInfoOf({ graphId }: McpScope, graph: Graph | undefined, version: string) {
  return { name: `pacioli-${graphId}`, title: graph?.name ?? 'Pacioli', version };
}

/** Lists are not paginated, so no cursor was ever given out (ai-surface 5.4). */
function requireFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor.');
}

/** A tool as clients see it. */
export function toolOf({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): Tool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'], // The catalog makes object schemas only.
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<Tool['outputSchema']> }),
    annotations,
  };
}

async function handleToolCall(
  use: ServerServices,
  scope: McpScope,
  tools: readonly ListedTool[],
  { name, given }: { readonly name: string; readonly given: unknown },
  ctx: ServerContext,
) {
  const tool = tools.find((each) => each.name === name);
  const idempotencyKey = idempotencyKeyOf(ctx);
  const needsConfirmation =
    tool?.confirmation !== undefined &&
    tool.effect === 'destructive' &&
    scope.isStateless &&
    (canAsk(ctx) || ctx.mcpReq.requestState() !== undefined);
  if (needsConfirmation) {
    // A person is not asked about a call that cannot run.
    const problem = use.catalog.problemOf({ name, arguments: given });
    if (problem !== undefined) return callResultOf(problem);
    const confirmation = await use.confirmations.readAnswer(name, given, ctx);
    if (confirmation === 'unanswered' && canAsk(ctx)) return use.confirmations.ask(tool, given, ctx);
    if (confirmation !== 'confirmed') return refused(refusals[confirmation]);
  }
  const notify = progressOf(scope, ctx);
  const isTask = tool !== undefined && (tool.startsRun || tool.mayStartRun) && declaresTasks(ctx);
  const result = await callTool(use.catalog, scope, {
    name,
    arguments: given,
    signal: AbortSignal.any([scope.signal, ctx.mcpReq.signal]),
    isStreamed: scope.isStreamed,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(notify === undefined ? {} : { progress: notify }),
    runs: isTask ? 'start' : 'wait',
  });
  const task = isTask ? await createdTask(use.runs, toolScopeOf(scope), result) : undefined;
  return task ?? callResultOf(result);
}

/** The results of calls that no person has confirmed, for the model (ai-surface M-20d). */
const refusals = {
  unanswered: 'The confirmation has no answer of a person. Nothing changed. Call the tool again to be asked again.',
  declined: 'The call was not confirmed. Nothing changed.',
  used: 'This confirmation was used already. Call the tool again to be asked again.',
  invalid: 'This confirmation is for another call. Nothing changed. Call the tool again to be asked again.',
} as const;

function idempotencyKeyOf(ctx: ServerContext): string | undefined {
  const key: unknown = ctx.mcpReq._meta?.['idempotencyKey'];
  if (isIdempotencyKey(key)) return key;
  const text = 'Invalid params: _meta.idempotencyKey has 1 to 255 visible ASCII characters without spaces';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** Sends strictly increasing progress to a client that asked for it and accepts streams (ai-surface M-11). */
function progressOf(scope: McpScope, ctx: ServerContext): ((message: string) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined || !scope.isStreamed) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // Sending fails once the client has disconnected, which cancels the call anyway.
    ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
}
