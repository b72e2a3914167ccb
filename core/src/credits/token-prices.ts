import { type CollectionEntry, createCollection, createToken, type Token } from '../container/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { hundredthsPerCredit } from './amounts.ts';

/** A vendor's price for a model, in US cents per million tokens; the key is the model's name. */
export interface ModelPrice extends CollectionEntry {
  readonly inputCents: number;
  readonly outputCents: number;
  /** The price of cached prompt tokens; the input price by default. */
  readonly cachedInputCents?: number;
  /** The price of prompt tokens that the vendor stores in its cache; the input price by default. */
  readonly cacheWriteCents?: number;
}

/** Prices of additional models; they override the prices of the kernel (platform C-6). */
export const modelPrices = createCollection<ModelPrice>('kernel.model-prices');

/** The tokens of one model call, as the vendor reports them. */
export interface TokenUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The number of input tokens that were cached. */
  readonly cachedInputTokens?: number;
  /** The number of input tokens that the vendor stored in its cache. */
  readonly cacheWriteTokens?: number;
  /** A model that runs in this deployment costs nothing unless a price is configured for it. */
  readonly isLocal?: boolean;
}

/** Hundredths of a credit per thousand tokens. */
export interface TokenRates {
  readonly inputHundredths: number;
  readonly outputHundredths: number;
  readonly cachedInputHundredths: number;
  readonly cacheWriteHundredths: number;
}

/** Unknown models are priced like this one. */
const standardModel = 'anthropic_claude_4_sonnet';

const kernelPrices: readonly ModelPrice[] = [
  { key: standardModel, inputCents: 300, outputCents: 1_500, cachedInputCents: 30, cacheWriteCents: 375 },
  {
    key: 'anthropic_claude_4_opus',
    inputCents: 1_500,
    outputCents: 7_500,
    cachedInputCents: 150,
    cacheWriteCents: 1_875,
  },
  { key: 'openai_gpt35', inputCents: 50, outputCents: 150 },
  { key: 'openai_gpt4', inputCents: 3_000, outputCents: 6_000 },
];

const tokensPerRate = 1_000;

export const tokenPrices: Token<TokenPrices> = createToken('kernel.token-prices');

/** The price table of a deployment. */
export class TokenPrices {
  readonly #rates: ReadonlyMap<string, TokenRates>;
  readonly #warn: (model: string) => void;

  constructor(use: {
    readonly prices: readonly ModelPrice[];
    readonly credits: KernelSettings['credits'];
    /** Called for a model without a price. */
    readonly warn: (model: string) => void;
  }) {
    const rows = [...kernelPrices, ...use.prices];
    this.#rates = new Map(rows.map((row) => [row.key, ratesOf(row, use.credits)]));
    this.#warn = use.warn;
  }

  /** All rates by model, for the offering. */
  get rates(): ReadonlyMap<string, TokenRates> {
    return this.#rates;
  }

  /** The cost of a call in hundredths of a credit: rounded half up, at least one credit unless free (platform C-7). */
  cost(usage: TokenUsage): number {
    const rates = this.#ratesFor(usage);
    if (rates === undefined) return 0;
    const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
    const stored = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
    const thousandths =
      (usage.inputTokens - cached - stored) * rates.inputHundredths +
      cached * rates.cachedInputHundredths +
      stored * rates.cacheWriteHundredths +
      usage.outputTokens * rates.outputHundredths;
    if (thousandths <= 0) return 0;
    return Math.max(hundredthsPerCredit, Math.floor((thousandths + tokensPerRate / 2) / tokensPerRate));
  }

  #ratesFor({ model, isLocal }: TokenUsage): TokenRates | undefined {
    const known = this.#rates.get(model);
    if (known !== undefined || isLocal === true) return known;
    this.#warn(model);
    return this.#rates.get(standardModel);
  }
}

/** Credits per thousand tokens = dollars per million × markup ÷ (1000 × dollars per credit) (platform C-6). */
function ratesOf(price: ModelPrice, { markup, usdPerCredit }: KernelSettings['credits']): TokenRates {
  const rate = (cents: number): number => Math.round((cents * markup) / (1_000 * usdPerCredit));
  return {
    inputHundredths: rate(price.inputCents),
    outputHundredths: rate(price.outputCents),
    cachedInputHundredths: rate(price.cachedInputCents ?? price.inputCents),
    cacheWriteHundredths: rate(price.cacheWriteCents ?? price.inputCents),
  };
}
