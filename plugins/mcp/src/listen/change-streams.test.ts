import { createMcpHandler, Server, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller, ChangeFeed, Graph, HeardChange, ListedTool, StreamAnswer } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { Message } from '../protocol/index.ts';
import { ChangeStreams } from './change-streams.ts';

const graph = { id: 'kg1' } as Graph;
const caller = { userId: 'usr_1' } as Caller;
const documents = [{ name: 'get-document' }] as unknown as readonly ListedTool[];
const noDocuments: readonly ListedTool[] = [];
const uri = (at: number) => `graph://kg1/documents/doc_${at}`;
const calm = { pingMs: 60_000, checkMs: 60_000 };

const notifications = {
  toolsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: Array.from({ length: 100 }, (_each, at) => uri(at)),
};
const message: Message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

/** The official router, as the endpoint uses it. */
async function serve(given: Message, bus: ServerEventBus) {
  const capabilities = { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } };
  const make = () => new Server({ name: 'test', version: '1' }, { capabilities });
  const handler = createMcpHandler(make, { legacy: 'reject', bus, keepAliveMs: 0 });
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const request = new Request('http://localhost/', { method: 'POST', headers });
  return { response: await handler.fetch(request, { parsedBody: given }), close: () => handler.close() };
}

/** A stream over a feed whose changes the test makes, before the client has read anything. */
async function openUnread(
  recheck: () => Promise<readonly ListedTool[]>,
  { times = calm, leaving = new AbortController() } = {},
) {
  const closing = new AbortController();
  const heard: ((change: HeardChange | undefined) => void)[] = [];
  const left: string[] = [];
  const feed: ChangeFeed = {
    closing: closing.signal,
    open: async (_caller, _graph, hear) => {
      heard.push(hear);
      return async () => void left.push('left');
    },
    close: async () => undefined,
  };
  const streams = new ChangeStreams(feed, times);
  const request = { message, caller, graph, tools: documents, signal: leaving.signal, recheck, serve };
  const { chunks } = (await streams.open(request)) as StreamAnswer;
  const source = chunks[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    const { value } = await source.next();
    return value === undefined ? undefined : Buffer.from(value).toString();
  };
  const hear = (kind: HeardChange['kind'], subject?: string) => heard[0]?.({ kind, subject });
  return { hear, next, stop: () => closing.abort(), disconnect: () => leaving.abort(), left };
}

/** A stream whose acknowledgment the client has read. */
async function openStream(recheck: () => Promise<readonly ListedTool[]>, times = calm) {
  const stream = await openUnread(recheck, { times });
  expect(await stream.next()).toContain('acknowledged');
  return stream;
}

describe('a stream of changes', () => {
  it('queues each change once while the client does not read (ai-surface M-20f)', async () => {
    const stream = await openStream(async () => documents);
    for (let round = 0; round < 50; round += 1) {
      stream.hear('documents');
      for (let at = 0; at < 120; at += 1) stream.hear('document', `doc_${at}`);
    }
    const frames: (string | undefined)[] = [];
    for (let at = 0; at < 101; at += 1) frames.push(await stream.next());
    expect(frames[0]).toContain('notifications/resources/list_changed');
    expect(new Set(frames.slice(1)).size).toBe(100);
    stream.stop();
    expect(await stream.next(), 'nothing follows').toContain('"resultType":"complete"');
    expect(await stream.next()).toBeUndefined();
    expect(stream.left).toEqual(['left']);
  });

  it('checks rights before it sends, and is silent about documents that the caller may not read (ai-surface M-20f)', async () => {
    let tools = documents;
    const stream = await openStream(async () => tools);
    tools = noDocuments;
    stream.hear('documents');
    stream.hear('document', 'doc_1');
    expect(await stream.next()).toContain('notifications/tools/list_changed');
    stream.stop();
    expect(await stream.next()).toContain('"resultType":"complete"');
  });

  it('checks again before it sends a change that arrives during a check (ai-surface M-20f)', async () => {
    let checks = 0;
    const stream = await openStream(async () => {
      checks += 1;
      if (checks === 3) throw new Error('Access has ended.');
      if (checks === 2) for (const kind of ['access', 'documents'] as const) stream.hear(kind);
      return documents;
    });
    stream.hear('access');
    expect(await stream.next()).toContain('"resultType":"complete"');
    expect(checks).toBe(3);
  });

  it('pings, and checks the credential from time to time (ai-surface M-20f)', async () => {
    let checks = 0;
    const check = async () => {
      checks += 1;
      if (checks === 3) throw new Error('The token has expired.');
      return documents;
    };
    const stream = await openStream(check, { pingMs: 1, checkMs: 2 });
    const frames = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    expect(frames).toEqual(Array(4).fill(': ping\n\n'));
    expect(await stream.next()).toContain('"resultType":"complete"');
  });

  it('frees its place when the client disconnects, also one that never reads (ai-surface M-20f)', async () => {
    for (const open of [openStream, openUnread]) {
      const stream = await open(async () => documents);
      stream.disconnect();
      expect(stream.left).toEqual(['left']);
    }
    const leaving = new AbortController();
    leaving.abort();
    expect((await openUnread(async () => documents, { leaving })).left, 'disconnected before').toEqual(['left']);
  });
});
