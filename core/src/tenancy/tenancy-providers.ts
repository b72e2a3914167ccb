import { securityAudit } from '../audit/security-audit.ts';
import { authenticator } from '../auth/authenticator.ts';
import { emailVerification } from '../identity/accounts/email-verification.ts';
import { Invitations, invitations } from '../identity/invitations/invitations.ts';
import { OAuthGrants, oauthGrants } from '../identity/keys/oauth-grants.ts';
import { mailQueue } from '../identity/mails/mail-queue.ts';
import { OrgMembers, orgMembers } from '../identity/organizations/org-members.ts';
import { Organizations, organizations } from '../identity/organizations/organizations.ts';
import { schemaValidator } from '../schema/validate.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Provider, provide } from '../services/provider.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { GraphAdmission, graphAdmission } from './graph-admission.ts';
import { GraphMembers, graphMembers } from './graph-members.ts';
import { memberDepartures } from './member-departure.ts';
import { orgDirectory, storedOrgDirectory } from './org-directory.ts';
import { UserGraphs, userGraphs } from './user-graphs.ts';

const stored = { store: kernel.store, clock: kernel.clock, audit: securityAudit };

/** The services for organizations, their members and the members of graphs. */
export const tenancyProviders: readonly Provider[] = [
  provide(organizations, { services: stored, create: (use) => new Organizations(use) }),
  provide(orgMembers, {
    services: { ...stored, events: eventPublisher, authenticator, departures: memberDepartures },
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
  provide(graphMembers, {
    services: { ...stored, events: eventPublisher, authenticator },
    create: (use) => new GraphMembers(use),
  }),
  provide(graphAdmission, {
    services: {
      emailVerification,
      validator: schemaValidator,
      domains: kernel.domains,
      settings: kernelSettings,
      ids: kernel.ids,
      clock: kernel.clock,
    },
    create: (use) => new GraphAdmission(use),
  }),
  provide(orgDirectory, { create: () => storedOrgDirectory }),
  provide(userGraphs, {
    services: { store: kernel.store, domains: kernel.domains },
    create: (use) => new UserGraphs(use),
  }),
  provide(oauthGrants, { services: { ...stored, authenticator }, create: (use) => new OAuthGrants(use) }),
];
