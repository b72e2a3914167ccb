import { type CollectionEntry, createCollection, createToken, type Token } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { hundredths_per_credit } from './amounts.ts';

/** What a vendor asks for a model, in US cents for a million tokens; the key is the model's name. */
export interface ModelPrice extends CollectionEntry {
  readonly input_cents: number;
  readonly output_cents: number;
  /** Prompt tokens that the vendor had cached; without a price of their own they cost what input costs. */
  readonly cachedInput_cents?: number;
}

/** Prices of further models, and of the kernel's own ones where a deployment has others (platform C-6). */
export const modelPrices = createCollection<ModelPrice>('kernel.model-prices');

/** Tokens of one model call as the vendor reports them. */
export interface TokenUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** How many of the input tokens were cached. */
  readonly cachedInputTokens?: number;
  /** A model that runs in this deployment costs nothing unless a price is configured for it. */
  readonly isLocal?: boolean;
}

/** Hundredths of a credit for a thousand tokens. */
export interface TokenRates {
  readonly input_hundredths: number;
  readonly output_hundredths: number;
  readonly cachedInput_hundredths: number;
}

/** Models of an unknown name are priced like this one. */
const standard_model = 'anthropic_claude_4_sonnet';

const kernelPrices: readonly ModelPrice[] = [
  { key: standard_model, input_cents: 300, output_cents: 1_500 },
  { key: 'anthropic_claude_4_opus', input_cents: 1_500, output_cents: 7_500 },
  { key: 'openai_gpt35', input_cents: 50, output_cents: 150 },
  { key: 'openai_gpt4', input_cents: 3_000, output_cents: 6_000 },
];

const tokens_per_rate = 1_000;

export const tokenPrices: Token<TokenPrices> = createToken('kernel.token-prices');

/** The price table of a deployment. */
export class TokenPrices {
  readonly #rates: ReadonlyMap<string, TokenRates>;
  readonly #warn: (model: string) => void;

  constructor(use: {
    readonly prices: readonly ModelPrice[];
    readonly credits: KernelSettings['credits'];
    /** Told of models that have no price. */
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

  /** What a call costs in hundredths of a credit: rounded half up, at least one credit unless it is free (platform C-7). */
  cost(usage: TokenUsage): number {
    const rates = this.#ratesFor(usage);
    if (rates === undefined) return 0;
    const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
    const thousandths =
      (usage.inputTokens - cached) * rates.input_hundredths +
      cached * rates.cachedInput_hundredths +
      usage.outputTokens * rates.output_hundredths;
    if (thousandths <= 0) return 0;
    return Math.max(hundredths_per_credit, Math.floor((thousandths + tokens_per_rate / 2) / tokens_per_rate));
  }

  #ratesFor({ model, isLocal }: TokenUsage): TokenRates | undefined {
    const known = this.#rates.get(model);
    if (known !== undefined || isLocal === true) return known;
    this.#warn(model);
    return this.#rates.get(standard_model);
  }
}

/** Credits for a thousand tokens = dollars for a million × markup ÷ (1000 × dollars of a credit) (platform C-6). */
function ratesOf(price: ModelPrice, { markup, usdPerCredit }: KernelSettings['credits']): TokenRates {
  const rate = (cents: number): number => Math.round((cents * markup) / (1_000 * usdPerCredit));
  return {
    input_hundredths: rate(price.input_cents),
    output_hundredths: rate(price.output_cents),
    cachedInput_hundredths: rate(price.cachedInput_cents ?? price.input_cents),
  };
}
