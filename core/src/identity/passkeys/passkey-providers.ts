import { securityAudit } from '../../audit/security-audit.ts';
import { type Contribution, contribute, type Provider, provide } from '../../container/provider.ts';
import { createToken, type Token } from '../../container/token.ts';
import { kernel } from '../../services/kernel-tokens.ts';
import { kernelSettings } from '../../settings/kernel-settings.ts';
import { bruteForce } from '../accounts/brute-force.ts';
import { assertionProofs, reauthentication } from '../accounts/reauthentication.ts';
import { mailQueue } from '../mails/mail-queue.ts';
import { sessionTokens } from '../sessions/session-token.ts';
import { signIn } from '../sessions/sign-in.ts';
import { Assertions, assertions } from './assertions.ts';
import { Ceremonies } from './ceremonies.ts';
import { Enrollment, enrollment } from './enrollment.ts';
import { MfaTokens, mfaTokens } from './mfa-tokens.ts';
import { Passkeys, passkeys } from './passkeys.ts';
import { relyingParty } from './relying-party.ts';
import { SecondFactor, secondFactor } from './second-factor.ts';

const ceremonies: Token<Ceremonies> = createToken('kernel.passkey-ceremonies');

const shared = {
  store: kernel.store,
  clock: kernel.clock,
  settings: kernelSettings,
  audit: securityAudit,
  mails: mailQueue,
  signIn,
  bruteForce,
  reauthentication,
} as const;

/** The services for passkeys and the second factor (platform section 3). */
export const passkeyProviders: readonly Provider[] = [
  provide(ceremonies, {
    services: { settings: kernelSettings },
    create: (use) => new Ceremonies(relyingParty(use.settings)),
  }),
  provide(mfaTokens, {
    services: { store: kernel.store, clock: kernel.clock, tokens: sessionTokens },
    create: (use) => new MfaTokens(use),
  }),
  provide(assertions, {
    services: { store: kernel.store, clock: kernel.clock, log: kernel.log, audit: securityAudit, ceremonies },
    create: (use) => new Assertions(use),
  }),
  provide(secondFactor, { services: { ...shared, mfaTokens, assertions }, create: (use) => new SecondFactor(use) }),
  provide(enrollment, {
    services: { ...shared, ids: kernel.ids, mfaTokens, ceremonies },
    create: (use) => new Enrollment(use),
  }),
  provide(passkeys, { services: { ...shared, assertions }, create: (use) => new Passkeys(use) }),
];

/** Reauthentication by passkey, as an alternative to the password (platform M-14). */
export const passkeyProof: Contribution = contribute(assertionProofs, 'passkey', {
  services: { assertions, settings: kernelSettings },
  create: ({ assertions: signed, settings }) => ({
    isProof: async (userId, assertion, request) =>
      settings.auth.passkeys && (await signed.check(assertion, { flow: 'mgmt', userId }, request)) !== undefined,
  }),
});
