import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const friend = 'https://books.example.com';
let service: TestService;
let url: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [], host: { allowedOrigins: [friend] } });
  url = `${service.url}/v1/status`;
});
afterAll(() => service.close());

/** The preflight request that a browser sends before a request that is not simple. */
const preflight = (origin: string) =>
  fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
const namesIn = (list: string | null) => (list ?? '').toLowerCase().split(/, */u);

describe('CORS', () => {
  it('lets a page of an allowed origin send and read every header of the API (platform E-15)', async () => {
    const asked = await preflight(friend);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, friend]);
    const sent = ['idempotency-key', 'x-request-id', 'last-event-id', 'x-api-key', 'authorization', 'traceparent'];
    for (const name of [...sent, 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
      expect(namesIn(asked.headers.get('access-control-allow-headers'))).toContain(name);
    const answered = await fetch(url, { headers: { origin: friend } });
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, friend]);
    expect(answered.headers.get('vary')).toContain('Origin');
    for (const name of ['x-request-id', 'retry-after', 'x-ratelimit-remaining', 'www-authenticate'])
      expect(namesIn(answered.headers.get('access-control-expose-headers'))).toContain(name);
  });

  it('sends no CORS header to a page of another origin (platform E-15)', async () => {
    for (const origin of ['https://elsewhere.example.com', `${friend}.evil.example`, 'null'])
      for (const answer of [await preflight(origin), await fetch(url, { headers: { origin } })])
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
