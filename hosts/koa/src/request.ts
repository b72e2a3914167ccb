import { randomBytes } from 'node:crypto';
import { tracedRequestId } from '@pacioli/core';
import type { HttpRequest } from '@pacioli/core/assembly';
import type { Context } from 'koa';
import { readBody, streamBody } from './body.ts';

/**
 * Keeps the caller's request id if it is well-formed, else continues the caller's trace in it, so that logs can be
 * correlated (platform E-13).
 */
export function requestIdOf(context: Context): string {
  const known: unknown = context.state['requestId'];
  if (typeof known === 'string') return known;
  const given = context.get('x-request-id');
  const id = /^[A-Za-z0-9_-]{8,64}$/.test(given)
    ? given
    : (tracedRequestId(context.get('traceparent')) ?? `req_${randomBytes(8).toString('hex')}`);
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
    origin: `${context.protocol}://${context.host}`,
    signal: gone.signal,
    header: (name) => {
      const value = context.req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    streamBody: () => streamBody(context),
    readBody: ({ isRaw } = { isRaw: false }) => readBody(context, isRaw),
  };
}
