import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { send, service, useEndpoint } from './wire-fixture.ts';

useEndpoint();

const traceOfMeta = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceOfHeader = '0af7651916cd43dd8448eb211c80319c';
const traceparent = (trace: string) => `00-${trace}-00f067aa0ba902b7-01`;

/** Calls a tool in a revision with a handshake, and returns the request id of its audit row. */
async function auditedId(meta: unknown, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const params = { name: 'erase-all', arguments: { reason: 'a test' }, ...(meta === undefined ? {} : { _meta: meta }) };
  const { status, body } = await send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers });
  expect([status, body.result?.isError], JSON.stringify(body)).toEqual([200, undefined]);
  const [row] = await service.store.transaction('kernel', (tx) =>
    tx.query(
      sql<{ request_id: string }>`SELECT request_id FROM kernel_operation_audit WHERE operation = 'erase-all'
        ORDER BY operation_id DESC LIMIT 1`,
    ),
  );
  return row?.request_id ?? '';
}

describe('the audit row of a tool call', () => {
  it('has the trace of the message, before that of its HTTP request (ai-surface M-20g)', async () => {
    const meta = { traceparent: traceparent(traceOfMeta), tracestate: 'vendor=1', baggage: 'user=ann' };
    const id = await auditedId(meta, { traceparent: traceparent(traceOfHeader) });
    expect(id).toMatch(new RegExp(`^trace_${traceOfMeta}_[0-9a-f]{16}_01$`));
  });

  it('has the trace of the HTTP request without one of its own (ai-surface M-20g, platform E-13)', async () => {
    const id = await auditedId({}, { traceparent: traceparent(traceOfHeader) });
    expect(id).toMatch(new RegExp(`^trace_${traceOfHeader}_[0-9a-f]{16}_01$`));
  });

  it('has the id of the HTTP request if the trace of the message is malformed', async () => {
    for (const malformed of ['00-0-0-01', 7, null, { trace: traceOfMeta }])
      expect(await auditedId({ traceparent: malformed }, { 'X-Request-ID': 'my-own-id' })).toBe('my-own-id');
  });
});

describe('the response', () => {
  it('names the request with its trace, or as the caller did (platform E-13)', async () => {
    const headers = { traceparent: traceparent(traceOfHeader) };
    const traced = await send({ headers });
    expect(traced.headers.get('x-request-id')).toMatch(new RegExp(`^trace_${traceOfHeader}_[0-9a-f]{16}_01$`));
    const named = await send({ headers: { ...headers, 'X-Request-ID': 'my-own-id' } });
    expect(named.headers.get('x-request-id')).toBe('my-own-id');
    const plain = await send({ headers: { traceparent: 'nonsense' } });
    expect(plain.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{16}$/);
  });
});
