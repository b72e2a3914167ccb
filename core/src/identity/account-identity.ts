import { backgroundWrites, securityAudit } from '../audit/security-audit.ts';
import { type AppGrants, appGrants } from '../auth/app-grants.ts';
import { authenticator } from '../auth/authenticator.ts';
import type { Identity } from '../auth/identity.ts';
import { type VerifiedUsers, verifiedUsers } from '../auth/verified-users.ts';
import { type Provider, provide } from '../container/provider.ts';
import { mail } from '../mail/mail.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { graphAccess } from '../tenancy/graph-access.ts';
import { memberDepartures } from '../tenancy/member-departure.ts';
import { accountFlowProviders } from './accounts/account-flow-providers.ts';
import { Accounts, accounts } from './accounts/accounts.ts';
import { bruteForce } from './accounts/brute-force.ts';
import { captcha } from './accounts/captcha.ts';
import { emailVerification } from './accounts/email-verification.ts';
import { all } from './all.gen.ts';
import { Invitations, invitations } from './invitations/invitations.ts';
import { AccountAppGrants } from './keys/account-app-grants.ts';
import { ApiKeys, apiKeys } from './keys/api-keys.ts';
import { OAuthGrants, oauthGrants } from './keys/oauth-grants.ts';
import { MailQueue, mailQueue } from './mails/mail-queue.ts';
import { OrgMembers, orgMembers } from './organizations/org-members.ts';
import { Organizations, organizations } from './organizations/organizations.ts';
import { passkeyProof, passkeyProviders } from './passkeys/passkey-providers.ts';
import { relyingParty } from './passkeys/relying-party.ts';
import { authSettings } from './sessions/auth-settings.ts';
import { sessionProviders } from './sessions/session-providers.ts';
import { signIn } from './sessions/sign-in.ts';

const stored = { store: kernel.store, clock: kernel.clock, audit: securityAudit } as const;

const organizationProviders: readonly Provider[] = [
  provide(organizations, { services: stored, create: (use) => new Organizations(use) }),
  provide(orgMembers, {
    services: { ...stored, events: eventPublisher, authenticator, access: graphAccess, departures: memberDepartures },
    create: (use) => new OrgMembers(use),
  }),
  provide(invitations, {
    services: {
      ...stored,
      ids: kernel.ids,
      settings: kernelSettings,
      mail: mailQueue,
      verification: emailVerification,
    },
    create: (use) => new Invitations(use),
  }),
];

/** The services for accounts, sessions, keys and organizations; the host provides `authSettings`. */
const identityProviders: readonly Provider[] = [
  ...sessionProviders,
  ...accountFlowProviders,
  ...passkeyProviders,
  ...organizationProviders,
  provide(verifiedUsers, {
    services: { verification: emailVerification },
    create: (use): VerifiedUsers => use.verification,
  }),
  provide(mailQueue, {
    services: { mail, settings: authSettings, events: eventPublisher },
    create: (use) => new MailQueue({ mail: use.mail, secret: use.settings.jwtSecret, events: use.events }),
  }),
  provide(accounts, {
    services: {
      ...stored,
      ids: kernel.ids,
      settings: kernelSettings,
      signIn,
      bruteForce,
      captcha,
      verification: emailVerification,
      events: eventPublisher,
    },
    create: (use) => new Accounts(use),
  }),
  provide(apiKeys, {
    services: { ...stored, ids: kernel.ids, authenticator, access: graphAccess },
    create: (use) => new ApiKeys(use),
  }),
  provide(appGrants, {
    services: { ...stored, ids: kernel.ids, background: backgroundWrites },
    create: (use): AppGrants => new AccountAppGrants(use),
  }),
  provide(oauthGrants, { services: { ...stored, authenticator }, create: (use) => new OAuthGrants(use) }),
];

/** The default identity of a host: accounts with passwords, passkeys and keys, in organizations. */
export const accountIdentity: Identity = {
  providers: identityProviders,
  contributions: [passkeyProof],
  check: (settings) => {
    if (settings.auth.passkeys) relyingParty(settings);
  },
  ...all,
};
