import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLimitedServer, type ServerLimits } from './server.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that responds after reading the whole body, and counts the requests that reach it. */
async function start(limits: Partial<ServerLimits>): Promise<{ port: number; seen: () => number }> {
  let seen = 0;
  const server = createLimitedServer((request, response) => {
    seen += 1;
    request.resume();
    request.once('end', () => response.end('{}'));
  }, limits);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, seen: () => seen }; // A listening TCP server has one.
}

/** Sends raw text and returns everything received until the server closes the connection. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  socket.on('error', () => undefined); // The server may close during the write.
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

function bodyOf(answer: string): { detail?: string; code?: string; timestamp?: string } {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as object;
}

describe('server', () => {
  it('answers 408 and closes when the body does not arrive in time (platform E-6)', async () => {
    const { port } = await start({ maxRequestMs: 200, maxHeadersMs: 200, lookMs: 50 });
    const answer = await talk(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"slow":');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)).toMatchObject({ code: 'REQUEST_TIMEOUT', request_id: null });
  });

  it('tells clients how long an idle connection stays open, and then closes it', async () => {
    const { port, seen } = await start({ maxIdleMs: 2_000 });
    // `talk` ends when the server closes the connection, although the client leaves it open.
    const answer = await talk(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('Keep-Alive: timeout=2');
    expect(seen()).toBe(1);
  });

  it('rejects too many headers before the app sees the request', async () => {
    const { port, seen } = await start({});
    const headers = Array.from({ length: 2000 }, (_, line) => `X-Flood-${line}: ${'a'.repeat(20)}`).join('\r\n');
    const answer = await talk(port, `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(answer).code).toBe('HEADERS_TOO_LARGE');
    expect(seen()).toBe(0);
  });

  it('answers invalid HTTP with an error in the common shape (platform E-1)', async () => {
    const { port } = await start({});
    const answer = await talk(port, 'HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(Object.keys(bodyOf(answer))).toEqual(['detail', 'code', 'request_id', 'timestamp']);
  });

  it('closes connections above its limit and serves the others', async () => {
    const { port } = await start({ maxConnections: 1 });
    const first = connect(port, '127.0.0.1');
    await once(first, 'connect');
    first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(first, 'data');
    expect(await talk(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
    first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [chunk] = (await once(first, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /);
    first.destroy();
  });
});
