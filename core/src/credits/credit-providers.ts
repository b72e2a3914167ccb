import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { graphUsage, storedGraphUsage } from '../usage/graph-usage.ts';
import { OrgUsage, orgUsage } from '../usage/org-usage.ts';
import { Usage, usage } from '../usage/usage.ts';
import { Credits, credits } from './credits.ts';
import { modelPrices, TokenPrices, tokenPrices } from './token-prices.ts';

const stored = { store: kernel.store, clock: kernel.clock, ids: kernel.ids, log: kernel.log };

/** The services for credits and usage. */
export const creditProviders: readonly Provider[] = [
  provide(usage, { services: stored, create: (use) => new Usage(use), stop: (service) => service.flush() }),
  provide(tokenPrices, {
    services: { prices: modelPrices, settings: kernelSettings, log: kernel.log },
    create: ({ prices, settings, log }) => {
      const warn = (model: string): void => {
        log.warn('a model has no price and is charged like the standard one; contribute one', { model });
      };
      return new TokenPrices({ prices, credits: settings.credits, warn });
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
