import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@pacioli/core';
import { type HttpRequest, maxBodyBytes } from '@pacioli/core/assembly';
import type { Context } from 'koa';

/** Keeps the caller's request id if it is well-formed, so that logs can be correlated (platform E-13). */
export function requestIdOf(context: Context): string {
  const known: unknown = context.state['requestId'];
  if (typeof known === 'string') return known;
  const given = context.get('x-request-id');
  const id = /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : `req_${randomBytes(8).toString('hex')}`;
  context.state['requestId'] = id;
  return id;
}

/** Converts the request to the kernel's type, which does not depend on Koa. */
export function toHttpRequest(
  context: Context,
  endpoint: string,
  params: Readonly<Record<string, string>>,
  requestId: string,
): HttpRequest {
  const gone = new AbortController();
  context.res.once('close', () => {
    if (!context.res.writableFinished) gone.abort(new Error('The client went away.'));
  });
  return {
    endpoint,
    params,
    requestId,
    query: context.URL.searchParams,
    ip: context.ip,
    signal: gone.signal,
    header: (name) => {
      const value = context.req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: () => readText(context.req),
  };
}

/** Reads a body up to its limit; a longer one is rejected without being read to its end (platform E-6). */
async function readText(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    const msg = 'The body is not valid UTF-8';
    const issues = [{ loc: ['body'], msg, type: 'json_invalid' }];
    throw new ServiceError('invalid_input', 'INVALID_INPUT', msg, { issues, cause });
  }
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'too_large',
    'PAYLOAD_TOO_LARGE',
    `The body is longer than ${maxBodyBytes} bytes. Send less at a time.`,
    {
      headers: { Connection: 'close' },
    },
  );
}
