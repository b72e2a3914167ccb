import { securityAudit } from '../audit/security-audit.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { type BruteForce, bruteForce, StoredBruteForce, unlimitedAttempts } from './brute-force.ts';
import {
  assertionProofs,
  type Reauthentication,
  reauthentication,
  StoredReauthentication,
} from './reauthentication.ts';

/** The services behind verification, reset, profile changes and guessing. */
export const accountFlowProviders: readonly Provider[] = [
  provide(bruteForce, {
    needs: { store: kernel.store, clock: kernel.clock, audit: securityAudit, settings: kernelSettings },
    // Conformance runs fail logins on purpose, so their profile is the only one without the limit.
    create: (use): BruteForce =>
      use.settings.rateLimits.profile === 'test' ? unlimitedAttempts : new StoredBruteForce(use),
  }),
  provide(reauthentication, {
    needs: { store: kernel.store, bruteForce, assertions: assertionProofs },
    create: (use): Reauthentication => new StoredReauthentication(use),
  }),
];
