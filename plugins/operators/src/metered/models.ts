import type { TokenPrices } from '@pacioli/core';
import type { LanguageModel, ModelFacts, ModelProfile } from '@pacioli/core/ports';

/** True if the deployment has a model. */
export function hasModel(model: LanguageModel): boolean {
  return model.models().length > 0;
}

/** The model of a profile. Throws if the provider has none for it: another one would cost something else. */
export function modelFor(model: LanguageModel, profile: ModelProfile): ModelFacts {
  const found = model.models().find((each) => each.profile === profile);
  if (found === undefined) throw new Error(`The provider ${model.id} has no model for the profile ${profile}.`);
  return found;
}

/** Refuses to start without a model for each profile that is used, or without the price of one (ai-surface OP-70). */
export function checkModels(model: LanguageModel, prices: TokenPrices, profiles: ReadonlySet<ModelProfile>): void {
  if (!hasModel(model)) return;
  for (const profile of profiles) modelFor(model, profile);
  for (const { name } of model.models()) {
    if (prices.rates.has(name)) continue;
    throw new Error(`The model ${name} has no price. Give its driver one, or contribute it to the price list.`);
  }
}
