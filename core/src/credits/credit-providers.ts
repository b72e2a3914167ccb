import { type Provider, provide } from '../container/provider.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { Usage, usage } from '../usage/usage.ts';
import { Credits, credits } from './credits.ts';
import { graphUsage, storedGraphUsage } from './graph-usage.ts';
import { OrgUsage, orgUsage } from './org-usage.ts';
import { modelPrices, TokenPrices, tokenPrices } from './token-prices.ts';

const stored = { store: kernel.store, clock: kernel.clock, ids: kernel.ids, log: kernel.log };

/** The services for credits and usage. */
export const creditProviders: readonly Provider[] = [
  provide(usage, { services: stored, create: (use) => new Usage(use), stop: (service) => service.flush() }),
  provide(tokenPrices, {
    services: { prices: modelPrices, language: kernel.languageModel, settings: kernelSettings, log: kernel.log },
    create: ({ prices, language, settings, log }) => {
      const warn = (model: string): void => {
        log.warn('a model has no price and is charged like the standard one; contribute one', { model });
      };
      const ofModels = language
        .models()
        .flatMap(({ name, price }) => (price === undefined ? [] : [{ key: name, ...price }]));
      // A contribution names the model explicitly, so it overrides what the driver says.
      return new TokenPrices({ prices: [...ofModels, ...prices], credits: settings.credits, warn });
    },
  }),
  provide(credits, {
    services: {
      ...stored,
      events: eventPublisher,
      settings: kernelSettings,
      prices: tokenPrices,
      usage,
      repositories: offeredRepositories,
    },
    create: (use) => new Credits(use),
  }),
  provide(graphUsage, { create: () => storedGraphUsage }),
  provide(orgUsage, {
    services: { store: kernel.store, clock: kernel.clock },
    create: (use) => new OrgUsage(use),
  }),
];
