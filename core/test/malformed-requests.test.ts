/** @module-tag sessions */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [] });
});
afterAll(() => service.close());

/** Sends raw text, because a client library would correct it; returns the raw response. */
async function talk(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

describe('a malformed HTTP request', () => {
  it('is refused with the standard error body if its URL is malformed (platform E-1, E-8)', async () => {
    const answer = await talk('GET http://[::1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"INVALID_INPUT"');
    expect(answer).toMatch(/x-request-id: req_/i);
  });

  it('is refused if its body is not UTF-8 (platform E-6)', async () => {
    const body = Buffer.from([...Buffer.from('{"email":"'), 0xff, ...Buffer.from('"}')]);
    const answer = await fetch(`${service.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(422);
    const refusal = (await answer.json()) as { detail: readonly object[] }; // The body of a route's 422.
    expect(refusal.detail[0]).toMatchObject({ loc: ['body'], type: 'json_invalid' });
  });
});

describe('an error response to HEAD or OPTIONS', () => {
  it('has a status and headers but no body (platform E-5, E-7)', async () => {
    const options = await fetch(`${service.url}/v1/user`, { method: 'OPTIONS' });
    expect(options.status).toBe(405);
    expect(options.headers.get('allow')).toContain('GET');
    expect(await options.text()).toBe('');
    const head = await fetch(`${service.url}/nowhere`, { method: 'HEAD' });
    expect(head.status).toBe(404);
  });
});
