import { securityAudit } from '../audit/security-audit.ts';
import { type Provider, provide } from '../container/provider.ts';
import { createToken, type Token } from '../container/token.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { rateCategories } from './categories.ts';
import { RateLimiter } from './rate-limiter.ts';
import { Traffic, traffic } from './traffic.ts';

const rateLimiter: Token<RateLimiter> = createToken('kernel.rate-limiter');

/** The services for rate limits. */
export const limitProviders: readonly Provider[] = [
  provide(rateLimiter, {
    services: { store: kernel.store, clock: kernel.clock, log: kernel.log },
    create: (use) => new RateLimiter(use),
    stop: (service) => service.close(),
  }),
  provide(traffic, {
    services: {
      limiter: rateLimiter,
      audit: securityAudit,
      categories: rateCategories,
      settings: kernelSettings,
      clock: kernel.clock,
    },
    create: (use) => new Traffic(use),
  }),
];
