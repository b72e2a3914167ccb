import { definePlugin, kernel, tokenPrices } from '@pacioli/core';
import { all } from './all.gen.ts';
import { operatorTypeForm } from './catalog/index.ts';
import { config } from './config.ts';
import { checkModels } from './metered/index.ts';
import { contributions, providers } from './providers.ts';
import { operators } from './tokens.ts';

/** AI operators: answers and changes by language models over the tools of a graph. */
export default definePlugin({
  name: 'operators',
  title: 'AI operators',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  config,
  providers,
  contributions,
  services: { operators, model: kernel.languageModel, prices: tokenPrices },
  // A model without a price, or a type that no client can send, must not be found by the first request.
  async start({ use }) {
    for (const { key } of use.operators)
      if (!operatorTypeForm.test(key))
        throw new Error(`${key} is no type of an operator: use ${operatorTypeForm.source}.`);
    const needing = use.operators.filter(({ needsModel }) => needsModel);
    checkModels(use.model, use.prices, new Set(needing.map(({ profile = 'balanced' }) => profile)));
  },
  ...all,
});
