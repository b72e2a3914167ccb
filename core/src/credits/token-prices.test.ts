import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../settings/kernel-settings.ts';
import { TokenPrices } from './token-prices.ts';

function prices(rows: ConstructorParameters<typeof TokenPrices>[0]['prices'] = []) {
  const unknown: string[] = [];
  const table = new TokenPrices({
    prices: rows,
    credits: defaultSettings.credits,
    warn: (model) => unknown.push(model),
  });
  return { table, unknown };
}

const sonnet = 'anthropic_claude_4_sonnet';

describe('the price of a model call', () => {
  it('is 37.5 credits for 5,000 input and 1,500 output tokens of the standard class (platform C-7)', () => {
    expect(prices().table.cost({ model: sonnet, inputTokens: 5_000, outputTokens: 1_500 })).toBe(3_750);
  });

  it.each([
    [sonnet, 3, 15],
    ['anthropic_claude_4_opus', 15, 75],
    ['openai_gpt35', 0.5, 1.5],
    ['openai_gpt4', 30, 60],
  ])('of %s is %d credits per 1,000 input tokens and %d per 1,000 output (platform C-6)', (model, input, output) => {
    const rates = prices().table.rates.get(model);
    expect(rates?.inputHundredths).toBe(input * 100);
    expect(rates?.outputHundredths).toBe(output * 100);
  });

  it('is at least one credit, and zero without tokens (platform C-7)', () => {
    const { table } = prices();
    expect(table.cost({ model: sonnet, inputTokens: 1, outputTokens: 0 })).toBe(100);
    expect(table.cost({ model: sonnet, inputTokens: 0, outputTokens: 0 })).toBe(0);
  });

  it('is rounded half up to hundredths (platform C-7)', () => {
    // 0.5 credits for 1,000 tokens: 2,010 tokens are 1.005 credits.
    expect(prices().table.cost({ model: 'openai_gpt35', inputTokens: 2_010, outputTokens: 0 })).toBe(101);
    expect(prices().table.cost({ model: 'openai_gpt35', inputTokens: 2_009, outputTokens: 0 })).toBe(100);
  });

  it('is the standard price for an unknown model, which is logged (platform C-6)', () => {
    const { table, unknown } = prices();
    expect(table.cost({ model: 'nobody_knows', inputTokens: 1_000, outputTokens: 0 })).toBe(300);
    expect(unknown).toEqual(['nobody_knows']);
  });

  it('is zero for a local model unless a price is configured (platform C-6)', () => {
    const call = { model: 'small-local', inputTokens: 9_000, outputTokens: 9_000, isLocal: true };
    expect(prices().table.cost(call)).toBe(0);
    const { table } = prices([{ key: 'small-local', inputCents: 100, outputCents: 100 }]);
    expect(table.cost(call)).toBe(1_800);
  });

  it('is 69 credits with 20,000 tokens read from the cache, and 125 % of the input for writes to it (ai-surface OP-40)', () => {
    const { table } = prices();
    const read = { model: sonnet, inputTokens: 32_000, cachedInputTokens: 20_000, outputTokens: 1_800 };
    expect(table.cost(read)).toBe(6_900);
    expect(table.cost({ model: sonnet, inputTokens: 10_000, cacheWriteTokens: 10_000, outputTokens: 0 })).toBe(3_750);
    expect(table.cost({ model: sonnet, inputTokens: 10_000, cacheWriteTokens: 20_000, outputTokens: 0 })).toBe(3_750);
  });

  it('is discounted for cached prompt tokens if the vendor discounts them (platform C-7)', () => {
    const call = { inputTokens: 10_000, cachedInputTokens: 8_000, outputTokens: 0 };
    const { table } = prices([{ key: 'cached', inputCents: 300, outputCents: 1_500, cachedInputCents: 30 }]);
    expect(table.cost({ ...call, model: 'cached' })).toBe(2 * 300 + 8 * 30);
    expect(table.cost({ ...call, model: 'openai_gpt4' })).toBe(10 * 3_000);
  });
});
