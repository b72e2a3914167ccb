import graph from '@pacioli/graph';
import search from '@pacioli/search';
import { startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import mcp from '../src/index.ts';
import { statelessRequest } from './stateless-request.ts';

/** The services of the importing test file, two on one store, and two users with a graph each. */
export let service: TestService;
export let other: TestService;
export let ann: Reader;
export let sam: Reader;

/** A user with a graph and a key. */
export interface Reader {
  readonly client: TestClient;
  readonly graphId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the services before the tests of the calling file, and closes them after it. */
export function useStreams(): void {
  beforeAll(async () => {
    const plugins = [graph, mcp, search];
    const settings = { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } };
    service = await startTestService({ plugins, settings });
    const { store, graphStore, fileStore } = service;
    other = await startTestService({ plugins, settings, store, graphStore, fileStore, worker: false });
    ann = await newReader('Ann');
    sam = await newReader('Sam');
  });
  afterAll(async () => {
    await other?.close();
    await service?.close();
  });
}

export async function newReader(name: string): Promise<Reader> {
  const client = await service.newUser(name);
  return { client, graphId: await client.createGraph(`Books of ${name}`, []), headers: await keyOf(client) };
}

export async function keyOf(client: TestClient): Promise<Readonly<Record<string, string>>> {
  return { 'X-API-Key': (await client.post('/v1/user/api-keys', { name: 'mcp' })).body.key };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
type Frame = any;

export const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** One message of the stateless revision, to the service or to another process of it. */
export function post(
  { graphId, headers }: Pick<Reader, 'graphId' | 'headers'>,
  method: string,
  params: object,
  { at = service, id = 7, signal }: { at?: TestService; id?: number; signal?: AbortSignal } = {},
): Promise<Response> {
  const request = statelessRequest(method, { ...params }, { id });
  return fetch(`${at.url}/v1/graphs/${graphId}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...request.headers, ...headers },
    body: JSON.stringify(request.body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Reads the message of a response. */
export const messageOf = async (response: Response): Promise<Frame> => response.json();

/** An open stream whose acknowledgment has been read. */
export interface Listening {
  readonly honored: Frame;
  /** The next message; undefined at the end of the stream. */
  next(): Promise<Frame | undefined>;
  /** The messages up to the end of the stream. */
  rest(): Promise<readonly Frame[]>;
  leave(): void;
}

/** Opens a stream, and leaves it at the end of the test. */
export async function listen(
  reader: Pick<Reader, 'graphId' | 'headers'>,
  filter: object,
  at = service,
): Promise<Listening> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const options = { at, signal: leaving.signal };
  const response = await post(reader, 'subscriptions/listen', { notifications: filter }, options);
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error(`The stream was refused: ${response.status} ${await response.text()}`);
  const frames = framesOf(response.body);
  const next = async () => (await frames.next()).value;
  const acknowledged = await next();
  return {
    honored: acknowledged.params.notifications,
    next,
    rest: async () => {
      const all: Frame[] = [];
      for await (const frame of frames) all.push(frame);
      return all;
    },
    leave: () => leaving.abort(),
  };
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
    }
  }
}

/** Stores a document, or changes the one with this id, and returns its id. */
export async function store(reader: Reader, body: object, at = service): Promise<string> {
  const response = await fetch(`${at.url}/v1/graphs/${reader.graphId}/operations/index-document`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...reader.client.headers },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { result?: { id: string } };
  if (answer.result === undefined) throw new Error(`The document was refused: ${JSON.stringify(answer)}`);
  return answer.result.id;
}

export const uriOf = ({ graphId }: Reader, documentId: string): string => `graph://${graphId}/documents/${documentId}`;
