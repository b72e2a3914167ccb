import { auditProviders, backgroundWrites, securityAudit } from '../audit/security-audit.ts';
import { mail } from '../mail/mail.ts';
import { MailQueue, mailQueue } from '../mail/mail-queue.ts';
import { mfaTokens } from '../passkeys/mfa-tokens.ts';
import { passkeyProviders } from '../passkeys/passkey-providers.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { accountFlowProviders } from './account-flow-providers.ts';
import { Accounts, accounts } from './accounts.ts';
import { ApiKeys, apiKeys } from './api-keys.ts';
import { type Authenticator, authenticator } from './authenticate.ts';
import { bruteForce } from './brute-force.ts';
import { captcha } from './captcha.ts';
import { emailVerification } from './email-verification.ts';
import { SessionTokens, sessionTokens } from './session-token.ts';
import { authSettings } from './settings.ts';
import { SignIn, signIn } from './sign-in.ts';
import { StoreAuthenticator } from './store-authenticator.ts';

/** The services for sign-in, tenancy and the security audit; the host provides `authSettings`. */
export const authProviders: readonly Provider[] = [
  ...auditProviders,
  provide(sessionTokens, {
    services: { settings: authSettings, clock: kernel.clock },
    create: (use) => new SessionTokens(use.settings, use.clock),
  }),
  provide(authenticator, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      tokens: sessionTokens,
      audit: securityAudit,
      background: backgroundWrites,
      repositories: offeredRepositories,
    },
    create: (use): Authenticator => new StoreAuthenticator(use),
  }),
  provide(signIn, {
    services: {
      store: kernel.store,
      tokens: sessionTokens,
      mfaTokens,
      audit: securityAudit,
      settings: kernelSettings,
    },
    create: (use) => new SignIn(use),
  }),
  provide(mailQueue, {
    services: { mail, settings: authSettings, events: eventPublisher },
    create: (use) => new MailQueue({ mail: use.mail, secret: use.settings.jwtSecret, events: use.events }),
  }),
  ...accountFlowProviders,
  ...passkeyProviders,
  provide(accounts, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      ids: kernel.ids,
      settings: kernelSettings,
      tokens: sessionTokens,
      signIn,
      audit: securityAudit,
      authenticator,
      bruteForce,
      captcha,
      verification: emailVerification,
      events: eventPublisher,
    },
    create: (use) => new Accounts(use),
  }),
  provide(apiKeys, {
    services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, audit: securityAudit, authenticator },
    create: (use) => new ApiKeys(use),
  }),
];
