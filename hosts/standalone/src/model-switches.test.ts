import { describe, expect, it } from 'vitest';
import { modelSettings } from './model-switches.ts';

const read = (given: Readonly<Record<string, string>>) =>
  modelSettings((name) => given[name] ?? (name === 'PACIOLI_MODEL_PROVIDER' ? 'none' : ''));

const endpoint = {
  PACIOLI_MODEL_PROVIDER: 'openai-compatible',
  PACIOLI_MODEL_URL: 'https://models.example.com/v1',
  PACIOLI_MODEL_BALANCED: 'medium',
};

describe('the switches of the language model', () => {
  it('choose none by default, or the offline provider (ai-surface OP-71)', () => {
    expect(read({})).toBeUndefined();
    expect(read({ PACIOLI_MODEL_PROVIDER: 'offline' })).toEqual({ provider: 'offline' });
  });

  it('name an endpoint, its key, and a model with a price for each profile (ai-surface OP-70)', () => {
    const more = {
      PACIOLI_MODEL_API_KEY: 'key',
      PACIOLI_MODEL_QUALITY: 'large',
      PACIOLI_MODEL_PRICES: 'medium=300/1500/30, large=1500/7500',
    };
    expect(read({ ...endpoint, ...more })).toEqual({
      provider: 'openai-compatible',
      url: 'https://models.example.com/v1',
      apiKey: 'key',
      models: [
        { name: 'medium', profile: 'balanced', price: { inputCents: 300, outputCents: 1_500, cachedInputCents: 30 } },
        { name: 'large', profile: 'quality', price: { inputCents: 1_500, outputCents: 7_500 } },
      ],
    });
  });

  it.each([
    [{ PACIOLI_MODEL_PROVIDER: 'other' }, 'must be none, offline, openai-compatible'],
    [{ PACIOLI_MODEL_URL: 'https://x' }, 'PACIOLI_MODEL_URL needs'],
    [{ PACIOLI_MODEL_PROVIDER: 'offline', PACIOLI_MODEL_BALANCED: 'x' }, 'PACIOLI_MODEL_BALANCED needs'],
    [{ ...endpoint, PACIOLI_MODEL_URL: 'models' }, 'PACIOLI_MODEL_URL must be'],
    [{ ...endpoint, PACIOLI_MODEL_BALANCED: '' }, 'Set PACIOLI_MODEL_BALANCED'],
    [{ ...endpoint, PACIOLI_MODEL_PRICES: 'medium=cheap' }, 'A price looks like'],
    [{ ...endpoint, PACIOLI_MODEL_PRICES: 'other=1/2' }, 'which no profile names'],
  ])('refuse %j with what to do', (given, message) => {
    expect(() => read(given)).toThrow(message);
  });
});
