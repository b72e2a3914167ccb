import { backgroundWrites, securityAudit } from '../../audit/security-audit.ts';
import { type Authenticator, authenticator } from '../../auth/authenticator.ts';
import { type Provider, provide } from '../../container/provider.ts';
import { kernel } from '../../services/kernel-tokens.ts';
import { kernelSettings } from '../../settings/kernel-settings.ts';
import { mfaTokens } from '../passkeys/mfa-tokens.ts';
import { authSettings } from './auth-settings.ts';
import { SessionTokens, sessionTokens } from './session-token.ts';
import { Sessions, sessions } from './sessions.ts';
import { SignIn, signIn } from './sign-in.ts';
import { StoreAuthenticator } from './store-authenticator.ts';

/** The services that open sessions and check credentials. */
export const sessionProviders: readonly Provider[] = [
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
  provide(sessions, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      settings: kernelSettings,
      tokens: sessionTokens,
      signIn,
      audit: securityAudit,
      authenticator,
    },
    create: (use) => new Sessions(use),
  }),
];
