import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { ListedTool } from '@pacioli/core';
import { type Message, stateless } from '../protocol/index.ts';
import { isIdempotencyKey } from './idempotency-key.ts';

/** A request of a frequent method with nothing in it that only the official server can handle. */
export type PlainRequest = { readonly id: string | number } & (
  | { readonly method: 'tools/list' }
  | {
      readonly method: 'tools/call';
      readonly name: string;
      readonly given: unknown;
      readonly idempotencyKey: string | undefined;
    }
);

/** A request whose parameters have the types of its method. */
interface CheckedRequest {
  readonly message: Message;
  readonly isStateless: boolean;
  readonly header: (name: string) => string | undefined;
  readonly tools: readonly ListedTool[];
}

const messageFields = new Set(['jsonrpc', 'id', 'method', 'params']);
const listParams = new Set(['_meta']);
const callParams = new Set(['name', 'arguments', '_meta']);
/** The fields of `_meta` that say how a request of the stateless revision is to be read. */
const envelope = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]);
/** The fields of `_meta` with a meaning in the protocol; those of the envelope have the same prefix. */
const reserved = /^(?:progressToken|io\.modelcontextprotocol\/.*)$/;

/**
 * Recognizes a plain request. Returns undefined for any other one, including a malformed one, which the official server
 * answers or refuses (decision 0090). Calls with progress, questions to a person, long calls and runs are not plain.
 */
export function plainRequest(request: CheckedRequest): PlainRequest | undefined {
  const { id, method, params = {} } = request.message;
  const isInteger = typeof id === 'number' && Number.isSafeInteger(id);
  if ((typeof id !== 'string' && !isInteger) || !hasOnly(request.message, messageFields)) return undefined;
  const meta = metaOf(params, request.isStateless);
  if (meta === undefined || (request.isStateless && !hasPlainEnvelope(request))) return undefined;
  if (method === 'tools/list') return hasOnly(params, listParams) ? { id, method } : undefined;
  const { name, arguments: given } = params;
  const { idempotencyKey } = meta;
  if (method !== 'tools/call' || typeof name !== 'string' || !hasOnly(params, callParams)) return undefined;
  if (!isIdempotencyKey(idempotencyKey)) return undefined;
  const isPlain = request.tools.every((tool) => tool.name !== name || isPlainTool(tool, request.isStateless));
  return isPlain ? { id, method, name, given, idempotencyKey } : undefined;
}

function isPlainTool({ isLong, startsRun, confirmation }: ListedTool, isStateless: boolean): boolean {
  return !isLong && !startsRun && (confirmation === undefined || !isStateless);
}

/** The fields of `_meta`; undefined if one of them is for the official server. */
function metaOf(
  { _meta: meta = {} }: Readonly<Record<string, unknown>>,
  isStateless: boolean,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return undefined;
  const isPlain = Object.keys(meta).every((name) => !reserved.test(name) || (isStateless && envelope.has(name)));
  return isPlain ? { ...meta } : undefined;
}

/** Checks the envelope with the rules of the official package, and the headers that mirror it (ai-surface M-20a). */
function hasPlainEnvelope({ message, header }: CheckedRequest): boolean {
  const { method, params = {} } = message;
  const isMirrored = header('mcp-protocol-version') === stateless && header('mcp-method') === method;
  if (!isMirrored || method === undefined) return false;
  const { name } = params;
  // A name in Base64 form is left to the official server.
  const isNamed = typeof name === 'string' && header('mcp-name') === name && !name.startsWith('=?');
  if (method === 'tools/call' && !isNamed) return false;
  const mirrored = { protocolVersionHeader: stateless, mcpMethodHeader: method };
  const inbound = classifyInboundRequest({ httpMethod: 'POST', ...mirrored, body: message });
  return inbound.kind === 'modern' && inbound.classification.revision === stateless;
}

function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}
