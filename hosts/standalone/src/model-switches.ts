import type { ModelFacts, ModelProfile } from '@pacioli/core/ports';
import { StartUpError } from './start-up-error.ts';
import { commaSeparated } from './switch-values.ts';

/** The provider of language models; undefined without one. */
export type ModelSettings =
  | { readonly provider: 'offline' }
  | {
      readonly provider: 'openai-compatible';
      readonly url: string;
      readonly apiKey?: string;
      readonly models: readonly ModelFacts[];
    };

export const modelProviders = ['none', 'offline', 'openai-compatible'];

const profiles: readonly (readonly [ModelProfile, string])[] = [
  ['economy', 'PACIOLI_MODEL_ECONOMY'],
  ['balanced', 'PACIOLI_MODEL_BALANCED'],
  ['quality', 'PACIOLI_MODEL_QUALITY'],
];

/** The switches that only a provider with an endpoint reads. */
const endpointSwitches = [
  'PACIOLI_MODEL_URL',
  'PACIOLI_MODEL_API_KEY',
  'PACIOLI_MODEL_PRICES',
  ...profiles.map(([, name]) => name),
];

/** Reads the switches of the language model (ai-surface OP-70, OP-71). */
export function modelSettings(text: (name: string) => string): ModelSettings | undefined {
  const provider = text('PACIOLI_MODEL_PROVIDER');
  if (!modelProviders.includes(provider))
    throw new StartUpError(`PACIOLI_MODEL_PROVIDER must be ${modelProviders.join(', ')}, not "${provider}".`);
  if (provider !== 'openai-compatible') {
    const stray = endpointSwitches.find((name) => text(name) !== '');
    if (stray !== undefined) throw new StartUpError(`${stray} needs PACIOLI_MODEL_PROVIDER=openai-compatible.`);
    return provider === 'offline' ? { provider } : undefined;
  }
  const url = text('PACIOLI_MODEL_URL');
  if (!/^https?:\/\/[^\s?#]+$/.test(url))
    throw new StartUpError(
      'PACIOLI_MODEL_URL must be the address of an interface, such as https://models.example.com/v1.',
    );
  const apiKey = text('PACIOLI_MODEL_API_KEY');
  return { provider: 'openai-compatible', url, ...(apiKey === '' ? {} : { apiKey }), models: modelsOf(text) };
}

function modelsOf(text: (name: string) => string): readonly ModelFacts[] {
  const prices = pricesOf(text('PACIOLI_MODEL_PRICES'));
  const models = profiles.flatMap(([profile, variable]) => {
    const name = text(variable);
    const price = prices.get(name);
    return name === '' ? [] : [{ name, profile, ...(price === undefined ? {} : { price }) }];
  });
  if (!models.some(({ profile }) => profile === 'balanced'))
    throw new StartUpError('Set PACIOLI_MODEL_BALANCED: it names the model that operators use.');
  const unused = [...prices.keys()].find((name) => !models.some((model) => model.name === name));
  if (unused !== undefined)
    throw new StartUpError(`PACIOLI_MODEL_PRICES has the price of "${unused}", which no profile names.`);
  return models;
}

/** Prices in US cents per million tokens: `name=input/output` or `name=input/output/cached`. */
function pricesOf(list: string): ReadonlyMap<string, NonNullable<ModelFacts['price']>> {
  return new Map(
    commaSeparated(list).map((entry) => {
      const [, name, input, output, cached] = /^([^=\s]+)=(\d{1,9})\/(\d{1,9})(?:\/(\d{1,9}))?$/.exec(entry) ?? [];
      if (name === undefined)
        throw new StartUpError(
          `PACIOLI_MODEL_PRICES has "${entry}". A price looks like name=300/1500: US cents per million tokens of input and output.`,
        );
      const price = { inputCents: Number(input), outputCents: Number(output) };
      return [name, cached === undefined ? price : { ...price, cachedInputCents: Number(cached) }];
    }),
  );
}
