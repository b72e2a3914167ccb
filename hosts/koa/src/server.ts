import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of a connection; times in milliseconds. */
export interface ServerLimits {
  /** Time for the headers to arrive. */
  readonly maxHeadersMs: number;
  /** Time for the whole request to arrive, including its body. */
  readonly maxRequestMs: number;
  /**
   * Time that an idle connection stays open: longer than load balancers and clients keep theirs, so that none of them
   * sends a request on a connection that is being closed.
   */
  readonly maxIdleMs: number;
  readonly maxHeaderBytes: number;
  /** Open connections; more are closed at once. */
  readonly maxConnections: number;
  /** Interval at which slow connections are detected. */
  readonly lookMs: number;
}

export const serverLimits: ServerLimits = {
  maxHeadersMs: 15_000,
  maxRequestMs: 60_000,
  maxIdleMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 10_000,
  lookMs: 5_000,
};

const refusals: Readonly<Record<string, readonly [status: string, code: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE', 'The headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

/** A Node server around an app, with limits on slow and large requests and readable errors for invalid HTTP. */
export function createLimitedServer(listener: RequestListener, given: Partial<ServerLimits> = {}): Server {
  const limits = { ...serverLimits, ...given };
  const server = createServer(
    {
      headersTimeout: limits.maxHeadersMs,
      requestTimeout: limits.maxRequestMs,
      keepAliveTimeout: limits.maxIdleMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.lookMs,
    },
    listener,
  );
  server.maxConnections = limits.maxConnections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error.code ?? '', socket));
  return server;
}

/** The kernel never sees such a request, so the response is built here, in the common error shape (platform E-1). */
function refuse(code: string, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, name, detail] = refusals[code] ?? ['400 Bad Request', 'INVALID_INPUT', 'This is not a valid request.'];
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ detail, code: name, request_id: null, timestamp });
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
