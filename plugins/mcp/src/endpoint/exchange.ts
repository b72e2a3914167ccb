import {
  createMcpHandler,
  PerRequestHTTPServerTransport,
  type Server,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { eventStream, type StreamAnswer } from '@pacioli/core';
import { type Answer, codes, type Message, methods, rpcError } from '../protocol/index.ts';

/** The interval of the comments that keep a stream open, in milliseconds (ai-surface M-11). */
const pingMs = 15_000;

/** One request, for the official package to answer. */
export interface Exchange {
  readonly url: string;
  /** The headers of the client that the protocol mirrors (ai-surface M-20a). */
  readonly header: (name: string) => string | undefined;
  readonly message: Message;
  /** The user and the graph, to which request states are bound. */
  readonly bound: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** True for a call that may take long, whose response is always a stream. */
  readonly isStreamed: boolean;
  createServer(): Server;
}

const mirrored = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Answers a request of the stateless revision, with the official handler (ai-surface 4.2a). */
export async function exchangeStateless(exchange: Exchange): Promise<Answer | StreamAnswer> {
  const handler = createMcpHandler(exchange.createServer, {
    legacy: 'reject',
    responseMode: exchange.isStreamed ? 'sse' : 'auto',
    keepAliveMs: pingMs,
  });
  const response = await handler.fetch(requestOf(exchange), {
    parsedBody: exchange.message,
    authInfo: authInfoOf(exchange),
  });
  return toAnswer(response);
}

/** Opens a stream of changes with the official router, which sends the events of the bus (ai-surface M-20f). */
export async function serveChanges(exchange: Exchange, message: Message, bus: ServerEventBus) {
  // The router would ping whether or not the client reads, so the reader of its frames pings instead.
  const handler = createMcpHandler(exchange.createServer, { legacy: 'reject', bus, keepAliveMs: 0 });
  const response = await handler.fetch(requestOf(exchange), { parsedBody: message, authInfo: authInfoOf(exchange) });
  return { response, close: () => handler.close() };
}

/**
 * Answers a request of a revision with a handshake. The official handler would send every response as a stream, so its
 * transport for one request is used, which sends JSON unless there is progress (ai-surface M-11).
 */
export async function exchangeWithHandshake(exchange: Exchange): Promise<Answer | StreamAnswer> {
  const { message } = exchange;
  const { id = null, method = '' } = message;
  if (!methods.has(method)) return rpcError(200, codes.methodNotFound, `Method not found: ${method}`, { id });
  const transport = new PerRequestHTTPServerTransport({
    classification: { era: 'legacy' },
    responseMode: exchange.isStreamed ? 'sse' : 'auto',
    keepAliveMs: pingMs,
  });
  const server = exchange.createServer();
  await server.connect(transport);
  try {
    const response = await transport.handleMessage(message as Parameters<typeof transport.handleMessage>[0], {
      request: requestOf(exchange),
      authInfo: authInfoOf(exchange),
    });
    // In these revisions an error of the protocol is a response like any other (ai-surface M-8).
    return await toAnswer(response, () => 200);
  } catch (error) {
    if (exchange.signal.aborted) return { kind: 'answer', status: 499 }; // The client has disconnected.
    throw error;
  }
}

function requestOf({ url, header, signal }: Exchange): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const name of mirrored) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(url, { method: 'POST', headers, signal });
}

function authInfoOf({ bound }: Exchange) {
  return { token: '', clientId: '', scopes: [], extra: { ...bound } };
}

/** The response of the official package as the kernel sends it. */
export async function toAnswer(
  response: Response,
  statusOf: (status: number) => number = (status) => status,
): Promise<Answer | StreamAnswer> {
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.startsWith('text/event-stream') && response.body !== null) {
    return eventStream(response.body as AsyncIterable<Uint8Array>); // Node's streams can be iterated.
  }
  const text = await response.text();
  return {
    kind: 'answer',
    status: statusOf(response.status),
    ...(text === '' ? {} : { json: text }),
  };
}
