import { isServiceError, parseBody, type RouteContext } from '@pacioli/core';
import { maxMessageBytes, tooLong } from './gate.ts';
import { type Answer, codes, type Message, objectOf, type RequestId, rpcError } from './json-rpc.ts';
import { stateless, supported } from './revisions.ts';

/** A message with the kind of its revision, or its refusal. */
export type Received = { readonly message: Message; readonly isStateless: boolean } | { readonly refusal: Answer };

/** Reads one message of JSON-RPC (ai-surface M-4, M-5, M-7, M-7a). */
export async function readMessage(ctx: Pick<RouteContext, 'readBody' | 'header'>): Promise<Received> {
  const text = await textOf(ctx);
  if (text === undefined)
    return { refusal: rpcError(400, codes.parseError, 'Parse error: request body is not valid UTF-8') };
  if (Buffer.byteLength(text) > maxMessageBytes) return { refusal: tooLong() };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { refusal: rpcError(400, codes.parseError, 'Parse error: request body is not valid JSON') };
  }
  const invalid = envelopeRefusal(body, text);
  if (invalid !== undefined) return { refusal: invalid };
  const message = body as Message; // The envelope was checked.
  const named = ctx.header('mcp-protocol-version');
  const meta = objectOf(objectOf(message.params)['_meta']);
  const hasEnvelope = meta['io.modelcontextprotocol/protocolVersion'] !== undefined;
  if (named !== undefined && !supported.includes(named)) return { refusal: unsupported(message, named, hasEnvelope) };
  const isStateless = named === stateless || hasEnvelope;
  return { message, isStateless };
}

/** The body; undefined if its bytes are not UTF-8. */
async function textOf(ctx: Pick<RouteContext, 'readBody'>): Promise<string | undefined> {
  try {
    return await ctx.readBody();
  } catch (error) {
    if (isServiceError(error) && error.kind === 'invalid_input') return undefined;
    throw error;
  }
}

function envelopeRefusal(body: unknown, written: string): Answer | undefined {
  const invalid = (text: string, id: RequestId = null) =>
    rpcError(400, codes.invalidRequest, `Invalid request: ${text}`, { id });
  if (Array.isArray(body)) return invalid('JSON-RPC batching is not supported');
  if (typeof body !== 'object' || body === null) return invalid('expected a JSON-RPC object');
  const { jsonrpc, id, method, params } = body as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"');
  if (method !== undefined && typeof method !== 'string') return invalid('method must be a string');
  // A notification or a response of the client is accepted before its params are checked (ai-surface M-6).
  if (!('id' in body) || method === undefined) return undefined;
  if (typeof id !== 'string' && typeof id !== 'number') return invalid('id must be a string or a number');
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    return rpcError(200, codes.invalidParams, 'Invalid params: expected an object', { id });
  const problem = valueProblem(written);
  if (problem !== undefined) return rpcError(200, codes.invalidParams, `Invalid params: ${problem}`, { id });
  return undefined;
}

/** The reason why the values of a valid JSON text are refused, as in REST bodies (platform E-6a, ai-surface M-7a). */
function valueProblem(written: string): string | undefined {
  try {
    parseBody(written);
    return undefined;
  } catch (error) {
    if (isServiceError(error) && error.kind === 'invalid_input') return error.message;
    throw error;
  }
}

/** A request with the envelope of the stateless revision can name no other one, as `server/discover` says. */
function unsupported({ id, method }: Message, requested: string, hasEnvelope: boolean): Answer {
  // A notification has no response of JSON-RPC.
  return rpcError(400, codes.unsupportedVersion, 'Unsupported protocol version', {
    id: method === undefined ? null : (id ?? null),
    data: { supported: hasEnvelope ? [stateless] : supported, requested },
  });
}
