import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { ListedTool, ToolCatalog } from '@pacioli/core';
import { type Answer, callResultOf } from '../protocol/index.ts';
import { listHint, type ServedGraph, serverInfoOf, toolOf } from './create-server.ts';
import type { PlainRequest } from './plain-request.ts';
import { callTool, type McpScope } from './scope.ts';

/** The services behind direct answers. */
interface DirectServices {
  readonly catalog: ToolCatalog;
  readonly version: string;
}

/**
 * Answers plain requests as the official server would, without making a server for each of them (decision 0090). The
 * JSON of a list of tools is cached as long as the catalog keeps that list.
 */
export class DirectAnswers {
  readonly #use: DirectServices;
  readonly #texts = new WeakMap<readonly ListedTool[], string>();

  constructor(use: DirectServices) {
    this.#use = use;
  }

  async answer(scope: McpScope, served: ServedGraph, request: PlainRequest): Promise<Answer> {
    const inRevision = this.#revisionOf(scope, served);
    if (request.method === 'tools/list') {
      const more = JSON.stringify(inRevision(scope.isStateless ? listHint : {})).slice(1);
      const tools = `{"tools":${this.#textOf(served.tools)}`;
      return answerOf(request, more === '}' ? `${tools}}` : `${tools},${more}`);
    }
    const { name, given, idempotencyKey } = request;
    const result = await callTool(this.#use.catalog, scope, {
      name,
      arguments: given,
      signal: scope.signal,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    if (scope.signal.aborted) return { kind: 'answer', status: 499 }; // The client has disconnected.
    return answerOf(request, JSON.stringify(inRevision(callResultOf(result))));
  }

  /** Returns the function that adds the fields of every result of the stateless revision (ai-surface M-20b, M-20c). */
  #revisionOf(scope: McpScope, { graph }: ServedGraph): (result: Result) => Result {
    if (!scope.isStateless) return (result) => result;
    const serverInfo = serverInfoOf(scope, graph, this.#use.version);
    return ({ _meta: meta = {}, ...result }) => ({
      ...result,
      resultType: 'complete',
      _meta: { ...meta, [SERVER_INFO_META_KEY]: serverInfo },
    });
  }

  #textOf(tools: readonly ListedTool[]): string {
    const known = this.#texts.get(tools);
    if (known !== undefined) return known;
    const text = JSON.stringify(tools.map(toolOf));
    this.#texts.set(tools, text);
    return text;
  }
}

interface Result {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

function answerOf({ id }: PlainRequest, result: string): Answer {
  return { kind: 'answer', status: 200, json: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
}
