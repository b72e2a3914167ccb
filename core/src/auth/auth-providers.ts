import { auditProviders, backgroundWrites, securityAudit } from '../audit/security-audit.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { createToken, type Token } from '../services/token.ts';
import { type Authenticator, authenticator } from './authenticate.ts';
import { SessionTokens } from './session-token.ts';
import { authSettings } from './settings.ts';
import { StoreAuthenticator } from './store-authenticator.ts';

export const sessionTokens: Token<SessionTokens> = createToken('kernel.session-tokens');

/** The services behind signing in, tenancy and the security audit; the host provides `authSettings`. */
export const authProviders: readonly Provider[] = [
  ...auditProviders,
  provide(sessionTokens, {
    needs: { settings: authSettings, clock: kernel.clock },
    create: (use) => new SessionTokens(use.settings, use.clock),
  }),
  provide(authenticator, {
    needs: {
      store: kernel.store,
      clock: kernel.clock,
      tokens: sessionTokens,
      audit: securityAudit,
      background: backgroundWrites,
    },
    create: (use): Authenticator => new StoreAuthenticator(use),
  }),
];
