/**
 * Goal: however a cluster fails, a call ends with a SearchIndexError that names the failure, and has neither its address
 * nor its credentials. Method: a double of the protocol, since a test cannot make a real server hang or refuse.
 */
import { inspect } from 'node:util';
import { type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import { entryWith, queryFor } from '@pacioli/search-lancedb/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSearchIndex } from '../src/index.ts';
import { answer, type Behavior, ClusterDouble } from './cluster-double.ts';

const signal = new AbortController().signal;
const credentials = { user: 'pacioli', password: 'pw-7d1f' };
const never: Behavior = () => undefined;
const refusing =
  (status: number, type: string): Behavior =>
  (response) =>
    answer(response, status, { error: { type, reason: 'secret reason' }, status });

describe('a cluster that fails', () => {
  const double = new ClusterDouble();
  let url: string;
  let index: SearchIndex;

  beforeAll(async () => {
    url = await double.start();
    index = openSearchIndex({ url, credentials });
  });
  afterAll(async () => {
    await index.close();
    await double.stop();
  });
  beforeEach(() => {
    double.received.length = 0;
    double.onRequest = () => undefined;
  });

  const search = (searched = index) => searched.search('kgone', queryFor('word'), { signal });
  const write = () => index.replace('kgone', 'a_', [entryWith({ id: 'a_0' })], { signal });
  const failureOf = async (call: Promise<unknown>): Promise<string> => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SearchIndexError);
    expect(inspect(error, { depth: 10 })).not.toMatch(/pw-7d1f|127\.0\.0\.1|secret reason/);
    return (error as Error).message;
  };

  it.each([
    [429, 'circuit_breaking_exception', 'answered with status 429: circuit_breaking_exception'],
    [401, 'security_exception', 'refused the user with status 401'],
    [403, 'security_exception', 'refused the user with status 403'],
    [400, 'search_phase_execution_exception', 'answered with status 400: search_phase_execution_exception'],
    [500, 'Any Name?', 'answered with status 500: unknown'],
  ])('is reported with its status %i (%s)', async (status, type, message) => {
    double.behavior = refusing(status, type);
    for (const call of [search, write]) expect(await failureOf(call())).toContain(message);
    expect(double.received.every((request) => request.startsWith('POST /pacioli-kgone/'))).toBe(true);
  });

  it('gets a request again twice while it answers 503', async () => {
    double.behavior = refusing(503, 'cluster_block_exception');
    expect(await failureOf(search())).toContain('answered with status 503');
    expect(double.received).toHaveLength(3);
  });

  it('cannot hold a call longer than the time limit', async () => {
    double.behavior = never;
    const impatient = openSearchIndex({ url, credentials, timeoutMs: 20 });
    expect(await failureOf(search(impatient))).toBe('The search cluster did not answer in time.');
    await impatient.close();
  });

  it('cannot hold a call that its caller cancels', async () => {
    double.behavior = never;
    const canceling = new AbortController();
    double.onRequest = () => canceling.abort(new Error('The caller has left.'));
    const call = index.search('kgone', queryFor('word'), { signal: canceling.signal });
    await expect(call).rejects.toThrow('The caller has left.');
  });

  it('is reported as unreachable if nothing listens at its address', async () => {
    const gone = new ClusterDouble();
    const address = await gone.start();
    await gone.stop();
    const unreachable = openSearchIndex({ url: address, credentials });
    expect(await failureOf(search(unreachable))).toBe('The search cluster cannot be reached.');
    await unreachable.close();
  });

  it.each([
    ['ends a connection', (response) => response.socket?.destroy()],
    [
      'answers with a page',
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>'),
    ],
    [
      'answers with half a document',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"hits":'),
    ],
  ] satisfies [string, Behavior][])('that %s fails the call, and answers the next one', async (_what, behavior) => {
    double.behavior = behavior;
    await failureOf(search());
    await failureOf(write());
    double.behavior = refusing(404, 'index_not_found_exception');
    expect(await search()).toEqual({ byText: [], textTotal: 0, byVector: [] });
  });

  it('that refuses one entry fails the whole write, and takes the next one (ai-surface D-15)', async () => {
    const bulk =
      (status: number): Behavior =>
      (response, { url: path }) =>
        path?.includes('/_bulk')
          ? answer(response, 200, {
              items: [{ index: { status: 201 } }, { index: { status, error: { type: 'any' } } }],
            })
          : answer(response, 200, { hits: { total: { value: 0 }, hits: [] } });
    double.behavior = bulk(429);
    expect(await failureOf(write())).toBe('The search cluster refused an entry with status 429.');
    double.behavior = bulk(201);
    await write();
    expect(double.received.at(-1)).toBe('POST /pacioli-kgone/_refresh');
  });
});
