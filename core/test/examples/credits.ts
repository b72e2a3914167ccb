import { contribute, credits, defineQuery, modelPrices } from '@pacioli/core';
import { Type } from 'typebox';

/** In US cents per million tokens; the settings of the deployment convert them to credits. */
export const price = contribute(modelPrices, 'drafting-model', {
  create: () => ({ inputCents: 100, outputCents: 200 }),
});

export const draftPrice = defineQuery({
  name: 'draftPrice',
  summary: 'Returns the price of a drafted reminder, in hundredths of a credit.',
  returns: Type.Integer(),
  services: { credits },
  resolve: async ({ use }) => use.credits.price({ model: 'drafting-model', inputTokens: 2_000, outputTokens: 500 }),
});
