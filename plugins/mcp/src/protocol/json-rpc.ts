import { answer } from '@pacioli/core';

export type Answer = ReturnType<typeof answer>;

/** A request, notification or response whose envelope has been checked. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type RequestId = string | number | null;

/** The fields of a JSON object; none for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The codes of JSON-RPC and of the protocol. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  refused: -32000,
  unsupportedVersion: -32022,
} as const;

/** An error response of JSON-RPC with an HTTP status. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  more: { readonly id?: RequestId; readonly data?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Answer {
  const { id = null, data, headers = {} } = more;
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return answer(status, { jsonrpc: '2.0', id, error }, headers);
}

/** A successful response of JSON-RPC. */
export function rpcResult(id: RequestId, result: object): Answer {
  return answer(200, { jsonrpc: '2.0', id, result });
}
