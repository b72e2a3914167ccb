import { auditProviders, backgroundWrites, securityAudit } from '../audit/security-audit.ts';
import { type Authenticator, authenticator } from '../auth/authenticator.ts';
import { mail } from '../mail/mail.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { accountFlowProviders } from './accounts/account-flow-providers.ts';
import { Accounts, accounts } from './accounts/accounts.ts';
import { bruteForce } from './accounts/brute-force.ts';
import { captcha } from './accounts/captcha.ts';
import { emailVerification } from './accounts/email-verification.ts';
import { ApiKeys, apiKeys } from './keys/api-keys.ts';
import { MailQueue, mailQueue } from './mails/mail-queue.ts';
import { mfaTokens } from './passkeys/mfa-tokens.ts';
import { passkeyProviders } from './passkeys/passkey-providers.ts';
import { authSettings } from './sessions/auth-settings.ts';
import { SessionTokens, sessionTokens } from './sessions/session-token.ts';
import { SignIn, signIn } from './sessions/sign-in.ts';
import { StoreAuthenticator } from './sessions/store-authenticator.ts';

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
