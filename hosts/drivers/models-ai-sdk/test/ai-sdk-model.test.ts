import { LanguageModelError, type ModelRequest } from '@pacioli/core/ports';
import { describeLanguageModel } from '@pacioli/operators/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AiSdkOptions, aiSdkLanguageModel } from '../src/index.ts';
import { responseText, startEndpointDouble } from './endpoint-double.ts';

type Endpoint = Awaited<ReturnType<typeof startEndpointDouble>>;

const price = { inputCents: 100, outputCents: 400 };
const modelOf = (url: string, more: Partial<AiSdkOptions> = {}) =>
  aiSdkLanguageModel({
    id: 'openai-compatible',
    url,
    apiKey: 'key-of-tests',
    models: [{ name: 'small', profile: 'balanced', price }],
    ...more,
  });

/** Makes a call on fake timers, so that the pauses between its attempts take no time. */
async function withoutPauses<T>(call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isOver = false;
  const result = call().finally(() => {
    isOver = true;
  });
  result.catch(() => undefined);
  try {
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}

describeLanguageModel('behind an endpoint', async () => {
  const endpoint = await startEndpointDouble();
  return { model: modelOf(endpoint.url), close: endpoint.close };
});

describe('a model behind an endpoint', () => {
  let endpoint: Endpoint;
  const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
    model: 'small',
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    maxTokens: 77,
    signal: new AbortController().signal,
    ...more,
  });
  const ask = (more: Partial<ModelRequest> = {}) => modelOf(endpoint.url).createMessage(request(more));

  beforeAll(async () => {
    endpoint = await startEndpointDouble();
  });
  beforeEach(() => {
    endpoint.received.length = 0;
    endpoint.planned.length = 0;
  });
  afterAll(() => endpoint.close());

  it('gets the key, the prompt and the limit, and has its cached tokens counted apart (ai-surface OP-40)', async () => {
    const { usage } = await ask();
    expect(usage).toEqual({ input: 20, output: 18, cacheRead: 100, cacheWrite: 0 });
    expect(endpoint.received).toMatchObject([
      { authorization: 'Bearer key-of-tests', body: { model: 'small', max_tokens: 77 } },
    ]);
    expect(endpoint.received[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('gets the trace of the request in a header, and no header without one (ai-surface M-20g)', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await ask({ traceparent });
    await ask();
    expect(endpoint.received.map((each) => each.traceparent)).toEqual([traceparent, undefined]);
  });

  // The prompt has 77 characters as JSON, and the answer has 53.
  it.each([
    ['reports no tokens', null, { input: 26, output: 18, cacheRead: 0, cacheWrite: 0 }],
    [
      'reports zero',
      { prompt_tokens: 0, completion_tokens: 0 },
      { input: 26, output: 18, cacheRead: 0, cacheWrite: 0 },
    ],
    ['reports only the input', { prompt_tokens: 7 }, { input: 7, output: 18, cacheRead: 0, cacheWrite: 0 }],
    ['reports only the output', { completion_tokens: 5 }, { input: 26, output: 5, cacheRead: 0, cacheWrite: 0 }],
    [
      'reports a negative count',
      { prompt_tokens: -9, completion_tokens: -9 },
      { input: 26, output: 18, cacheRead: 0, cacheWrite: 0 },
    ],
  ])('that %s has them estimated, and the answer says so (ai-surface OP-40)', async (_what, reported, usage) => {
    endpoint.planned.push({ usage: reported });
    const answer = await ask();
    expect(answer).toMatchObject({ usage, isUsageEstimated: true });
    expect(Math.ceil(JSON.stringify(answer.content).length / 3)).toBe(18);
    expect((await ask()).isUsageEstimated).toBeUndefined();
  });

  it('reads a response at the limit of bytes, and none that is a byte longer (ai-surface OP-70)', async () => {
    await ask();
    const [received] = endpoint.received;
    if (received === undefined) throw new Error('The endpoint got the request.');
    const bytes = Buffer.byteLength(responseText(received.body));
    const askAtMost = (maxAnswerBytes: number) => modelOf(endpoint.url, { maxAnswerBytes }).createMessage(request());
    expect((await askAtMost(bytes)).content).toHaveLength(1);
    const failure = await askAtMost(bytes - 1).catch((error) => error);
    expect(failure).toBeInstanceOf(LanguageModelError);
    expect(failure.message).toBe(`openai-compatible sent more than ${bytes - 1} bytes.`);
    expect(endpoint.received).toHaveLength(3);
  });

  it('follows no redirect, which would hand the key to another host (ai-surface PX-8)', async () => {
    const other = await startEndpointDouble();
    endpoint.planned.push({ status: 307, location: `${other.url}/chat/completions` });
    const failure = await ask().catch((error) => error);
    await other.close();
    expect(failure).toMatchObject({ isTransient: false, message: 'openai-compatible answered with status 307.' });
    expect([endpoint.received.length, other.received.length]).toEqual([1, 0]);
  });

  it('is asked three times while it is busy or broken, and then fails as transient (ai-surface OP-70)', async () => {
    endpoint.planned.push({ status: 429 }, { status: 503 });
    expect((await withoutPauses(ask)).content).toHaveLength(1);
    expect(endpoint.received).toHaveLength(3);
    endpoint.planned.push({ status: 429 }, { status: 503 }, { status: 500 }, { status: 500 });
    const failure = await withoutPauses(ask).catch((error) => error);
    expect(failure).toBeInstanceOf(LanguageModelError);
    expect(failure).toMatchObject({ isTransient: true, message: 'openai-compatible answered with status 500.' });
    expect(endpoint.received).toHaveLength(6);
  });

  it('is not asked again after a status 401, and fails without the text of the response (ai-surface PX-8)', async () => {
    endpoint.planned.push({ status: 401 });
    const failure = await ask().catch((error) => error);
    expect(failure).toMatchObject({ isTransient: false, message: 'openai-compatible answered with status 401.' });
    expect(endpoint.received).toHaveLength(1);
  });

  it('fails if the provider refuses to answer, instead of an empty answer (ai-surface OP-70)', async () => {
    endpoint.planned.push({ finishReason: 'content_filter' });
    await expect(ask()).rejects.toThrow('openai-compatible refused to answer.');
  });

  it('answers with the reason max_tokens if it was cut at the limit (ai-surface 7.9)', async () => {
    endpoint.planned.push({ finishReason: 'length' });
    expect((await ask()).stopReason).toBe('max_tokens');
  });

  it('ends a call that is aborted with the reason of the caller (ai-surface 7.9)', async () => {
    endpoint.planned.push({ isSilent: true });
    const controller = new AbortController();
    const call = ask({ signal: controller.signal });
    await expect.poll(() => endpoint.received.length).toBe(1);
    controller.abort(new Error('The run was canceled.'));
    await expect(call).rejects.toThrow('The run was canceled.');
  });

  it('fails as transient if nothing listens (ai-surface OP-70)', async () => {
    const closed = await startEndpointDouble();
    await closed.close();
    const call = () => modelOf(closed.url).createMessage(request());
    const failure = await withoutPauses(call).catch((error) => error);
    expect(failure).toMatchObject({ isTransient: true, message: 'openai-compatible could not be reached.' });
  });
});
