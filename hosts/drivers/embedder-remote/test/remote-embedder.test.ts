import { inspect } from 'node:util';
import { EmbeddingError } from '@pacioli/core/ports';
import { describeEmbedder } from '@pacioli/embedder-words/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RemoteEmbedderOptions, remoteEmbedder } from '../src/index.ts';
import {
  doubleDimensions,
  doubleKey,
  errorBody,
  type Misbehavior,
  ProviderDouble,
  send,
  vectorsFor,
} from './provider-double.ts';

const signal = new AbortController().signal;
const optionsFor = (url: string) => ({ url, apiKey: doubleKey, model: 'double', dimensions: doubleDimensions });

describeEmbedder('remote', async () => {
  const provider = new ProviderDouble();
  return { embedder: remoteEmbedder(optionsFor(await provider.start())), close: () => provider.close() };
});

describe('remoteEmbedder', () => {
  const provider = new ProviderDouble();
  let url: string;
  beforeAll(async () => {
    url = await provider.start();
  });
  afterAll(() => provider.close());

  const embed = (texts: string[], options: Partial<RemoteEmbedderOptions> = {}) =>
    remoteEmbedder({ ...optionsFor(url), ...options }).embed(texts, 'passage', { signal });

  /** The message of a call that the given responses let fail; checks that the error has no key, address or text. */
  async function failure(next: readonly Misbehavior[], options: Partial<RemoteEmbedderOptions> = {}): Promise<string> {
    provider.next.push(...next);
    const error = await embed(['a secret text'], options).then(
      () => expect.fail('The call succeeded.'),
      (reason: unknown) => reason,
    );
    provider.next.length = 0;
    expect(error).toBeInstanceOf(EmbeddingError);
    const everything = inspect(error, { depth: 20, showHidden: true });
    for (const secret of [doubleKey, options.apiKey ?? doubleKey, '127.0.0.1', 'a secret text', 'a reason'])
      expect(everything).not.toContain(secret);
    return error instanceof Error ? error.message : '';
  }

  const tooMany: Misbehavior = (response) => send(response, 429, errorBody('a reason'), { 'retry-after-ms': '1' });
  const answers =
    (embedding: readonly unknown[]): Misbehavior =>
    (response) =>
      send(response, 200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding }] });

  it('sends the texts and the name of the model, and nothing else', async () => {
    provider.received.length = 0;
    await embed(['Trade receivables', 'Rent']);
    expect(provider.received.map(({ body }) => body)).toEqual([
      { model: 'double', input: ['Trade receivables', 'Rent'], encoding_format: 'float' },
    ]);
  });

  it('sends 64 texts in a request, and cuts each at 32,768 characters', async () => {
    provider.received.length = 0;
    await embed(Array.from({ length: 65 }, (_, index) => `${index} ${'x'.repeat(40_000)}`));
    expect(provider.received.map(({ body }) => body.input.length).sort()).toEqual([1, 64]);
    expect(provider.received[0]?.body.input[0]).toHaveLength(32_768);
  });

  it('sends no empty text, and returns zeros for it', async () => {
    provider.received.length = 0;
    const [empty, rent, blank] = await embed(['', 'rent', ' \n']);
    expect(provider.received[0]?.body.input).toEqual(['rent']);
    expect([empty, blank].map((vector) => vector?.every((value) => value === 0))).toEqual([true, true]);
    expect(rent?.some((value) => value !== 0)).toBe(true);
    await embed(['']);
    expect(provider.received).toHaveLength(1);
  });

  it('repeats a request twice that is refused with 429, after the time that the provider asks for', async () => {
    provider.received.length = 0;
    provider.next.push(tooMany, tooMany);
    expect(await embed(['rent'])).toHaveLength(1);
    expect(provider.received).toHaveLength(3);
    expect(await failure([tooMany, tooMany, tooMany])).toBe('The embedding provider answered with status 429.');
  });

  it('says that the key was refused', async () => {
    expect(await failure([], { apiKey: 'sk-other-77aa' })).toBe(
      'The embedding provider refused the key with status 401.',
    );
  });

  it('ends a call that takes longer than its time limit', async () => {
    const silent: Misbehavior = () => undefined;
    expect(await failure([silent], { timeoutMs: 50 })).toBe('The embedding provider did not answer within 50 ms.');
  });

  it('stops waiting when its caller aborts', async () => {
    const caller = new AbortController();
    provider.next.push(() => caller.abort(new Error('The caller is gone.')));
    const embedding = remoteEmbedder(optionsFor(url)).embed(['rent'], 'query', { signal: caller.signal });
    await expect(embedding).rejects.toThrow('The caller is gone.');
  });

  it('refuses vectors of another length, and names both lengths', async () => {
    expect(await failure([answers([1, 2, 3])])).toBe(
      'The model has vectors of 3 numbers, and 48 are configured. Configure the former.',
    );
  });

  it('refuses vectors that are not numbers of finite length', async () => {
    const large = answers(Array(doubleDimensions).fill(1e200));
    expect(await failure([large])).toBe('The embedding provider answered with numbers that are too large.');
    const message = 'The embedding provider answered with something other than vectors.';
    expect(await failure([answers(Array(doubleDimensions).fill(null))])).toBe(message);
    expect(await failure([answers(Array(doubleDimensions).fill('NaN'))])).toBe(message);
  });

  it('refuses an answer with another number of vectors than texts', async () => {
    const message = 'The embedding provider answered with another number of vectors than texts.';
    expect(await failure([(response) => send(response, 200, vectorsFor(['a', 'b']))])).toBe(message);
    expect(await failure([(response) => send(response, 200, vectorsFor([]))])).toBe(message);
  });

  it('reads an answer at the limit of bytes, and rejects one that is a byte longer', async () => {
    const bytes = JSON.stringify(vectorsFor(['a secret text'])).length;
    expect(await embed(['a secret text'], { maxAnswerBytes: bytes })).toHaveLength(1);
    expect(await failure([], { maxAnswerBytes: bytes - 1 })).toMatch(/could not be read|other than vectors/);
  });

  it('follows no redirect, which would hand the key to another host', async () => {
    provider.received.length = 0;
    const redirect: Misbehavior = (response) => send(response, 307, {}, { location: '/v1/embeddings' });
    expect(await failure([redirect], { maxRetries: 0 })).toBe('The embedding provider cannot be reached.');
    expect(provider.received.every(({ headers }) => headers.host === new URL(url).host)).toBe(true);
  });

  it('says that the provider cannot be reached', async () => {
    const gone = new ProviderDouble();
    const address = await gone.start();
    await gone.close();
    expect(await failure([], { url: address, maxRetries: 0 })).toBe('The embedding provider cannot be reached.');
  });
});
