import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { field } from './json-fields.ts';
import { connectLedger, requireSuccess } from './ledger-api.ts';
import { writeLimits } from './limits.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = null;
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${field(started.address(), 'port')}/`;
}

describe('ledger-api', () => {
  it('sends key, idempotency key and JSON, and reads status, body and Retry-After', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const { 'x-api-key': apiKey, 'idempotency-key': key } = request.headers;
        seen.push({ method: request.method, path: request.url, apiKey, key, text });
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' });
        response.end('{"detail":"slow"}');
      });
    });
    const api = connectLedger({ url, apiKey: 'secret' });
    expect(await api.post('/v1/graphs', { a: 1 }, 'k1')).toEqual({
      status: 429,
      body: { detail: 'slow' },
      retryAfterSeconds: 3,
    });
    expect(seen).toEqual([{ method: 'POST', path: '/v1/graphs', apiKey: 'secret', key: 'k1', text: '{"a":1}' }]);
  });

  it('rejects a response above the byte limit', async () => {
    const url = await serve((_, response) => {
      response.end(Buffer.alloc(writeLimits.maxAnswerBytes + 1, 0x20));
    });
    await expect(connectLedger({ url, apiKey: 'k' }).get('/v1/graphs')).rejects.toThrow('answered with more than');
  });

  it('quotes a response that is not JSON', async () => {
    const url = await serve((_, response) => {
      response.writeHead(502);
      response.end('<h1>Bad gateway</h1>');
    });
    const answer = await connectLedger({ url, apiKey: 'k' }).get('/v1/graphs');
    expect(() => requireSuccess(answer, 'Listing')).toThrow(
      'Listing was refused with 502: The answer is not JSON; it reads "Bad gateway".',
    );
  });
});
