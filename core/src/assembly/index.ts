/** The entry point for hosts, in groups as in `index.ts` of the package. */

// A deployment: its plugins, drivers and settings, put together or only described.

export { type HttpAnswer, type HttpRequest, maxBodyBytes } from '../envelope/http.ts';
export { type GivenSettings, type KernelSettings, kernelSettings } from '../settings/kernel-settings.ts';
export { type AssembleOptions, assemble, migrationSets, type Service } from './assemble.ts';
export { type CommandRun, type MountedCommand, optionWord } from './commands.ts';
export { describeSet, type SetDescription } from './describe-set.ts';
export type { Aliases, Endpoint } from './endpoints.ts';
export { kernelPlugin, kernelVersion } from './kernel-plugin.ts';
export { AssemblyError } from './problems.ts';
export { sortPlugins } from './sort-plugins.ts';

// Identity: the users of the host instead of accounts, and the ports that every identity implements.

export { type Authenticator, authenticator, type Credentials } from '../auth/authenticator.ts';
export type { Identity } from '../auth/identity.ts';
export { type VerifiedUsers, verifiedUsers } from '../auth/verified-users.ts';
export { type AuthSettings, authSettings, hasAccounts, trustEmail } from '../identity/index.ts';
export type { Person } from '../own-identity/directory.ts';
export { type Credential, type OwnUsers, ownIdentity } from '../own-identity/own-identity.ts';

// Parts of a host: mail, clock, log, status, audit.

export { auditChains, auditRows } from '../audit/audit-tables.ts';
export { type StandardError, standardErrors } from '../errors/standard-errors.ts';
export { type UndeliveredEvent, undeliveredEvents } from '../jobs/undelivered-events.ts';
export { type Mail, type MailMessage, mail } from '../mail/mail.ts';
export { parseUrl } from '../schema/parse-url.ts';
export { systemClock, ulidIds } from '../services/clock.ts';
export { type StatusReport, statusService } from '../services/status.ts';
export { silentLog } from './host-services.ts';
