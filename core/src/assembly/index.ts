/** The entry point for hosts. */
export { auditRows } from '../audit/audit-rows.ts';
export { hasAccounts, trustEmail } from '../auth/first-account.ts';
export { type AuthSettings, authSettings } from '../auth/settings.ts';
export { type HttpAnswer, type HttpRequest, maxBodyBytes } from '../envelope/http.ts';
export { type Mail, type MailMessage, mail } from '../mail/mail.ts';
export { parseUrl } from '../schema/parse-url.ts';
export { systemClock, ulidIds } from '../services/clock.ts';
export { type StatusReport, statusService } from '../services/status.ts';
export { type GivenSettings, type KernelSettings, kernelSettings } from '../settings/kernel-settings.ts';
export { type AssembleOptions, assemble, migrationSets, type Service } from './assemble.ts';
export { describeSet, type SetDescription } from './describe-set.ts';
export type { Aliases, Endpoint } from './endpoints.ts';
export { silentLog } from './host-services.ts';
export { kernelPlugin, kernelVersion } from './kernel-plugin.ts';
export { AssemblyError } from './problems.ts';
export { sortPlugins } from './sort-plugins.ts';
