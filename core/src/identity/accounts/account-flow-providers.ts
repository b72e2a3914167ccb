import { securityAudit } from '../../audit/security-audit.ts';
import { authenticator } from '../../auth/authenticator.ts';
import { type Provider, provide } from '../../container/provider.ts';
import { eventPublisher } from '../../services/events.ts';
import { kernel } from '../../services/kernel-tokens.ts';
import { kernelSettings } from '../../settings/kernel-settings.ts';
import { mailQueue } from '../mails/mail-queue.ts';
import { Bridge, bridge } from '../sessions/bridge.ts';
import { sessionTokens } from '../sessions/session-token.ts';
import { signIn } from '../sessions/sign-in.ts';
import { type BruteForce, bruteForce, StoredBruteForce, unlimitedAttempts } from './brute-force.ts';
import { captcha, noCaptcha } from './captcha.ts';
import { EmailVerification, emailVerification } from './email-verification.ts';
import { PasswordReset, passwordReset } from './password-reset.ts';
import { identityLinks, Profile, profile } from './profile.ts';
import {
  assertionProofs,
  type Reauthentication,
  reauthentication,
  StoredReauthentication,
} from './reauthentication.ts';

const facts = {
  store: kernel.store,
  clock: kernel.clock,
  settings: kernelSettings,
  audit: securityAudit,
} as const;

/** The services for verification, password reset, profile changes, session handover and brute-force protection. */
export const accountFlowProviders: readonly Provider[] = [
  provide(bruteForce, {
    services: facts,
    // Conformance runs fail logins on purpose, so their profile is the only one without the limit.
    create: (use): BruteForce =>
      use.settings.rateLimits.profile === 'test' ? unlimitedAttempts : new StoredBruteForce(use),
  }),
  provide(reauthentication, {
    services: { store: kernel.store, bruteForce, assertions: assertionProofs },
    create: (use): Reauthentication => new StoredReauthentication(use),
  }),
  provide(captcha, { create: () => noCaptcha }),
  provide(emailVerification, {
    services: { ...facts, mails: mailQueue, signIn },
    create: (use) => new EmailVerification(use),
  }),
  provide(passwordReset, {
    services: { ...facts, mails: mailQueue, events: eventPublisher, signIn, authenticator, bruteForce },
    create: (use) => new PasswordReset(use),
  }),
  provide(profile, {
    services: {
      ...facts,
      mails: mailQueue,
      authenticator,
      bruteForce,
      reauthentication,
      verification: emailVerification,
      links: identityLinks,
    },
    create: (use) => new Profile(use),
  }),
  provide(bridge, { services: { ...facts, tokens: sessionTokens, signIn }, create: (use) => new Bridge(use) }),
];
