/** What plugin authors import. Everything exported here is public and follows the promises of CONTRIBUTING.md. */

export { type SecurityAudit, type SecurityEvent, securityAudit } from './audit/security-audit.ts';
export { type Authenticator, authenticator } from './auth/authenticate.ts';
export { type Bridge, bridge } from './auth/bridge.ts';
export { type BruteForce, bruteForce } from './auth/brute-force.ts';
export { type Captcha, captcha } from './auth/captcha.ts';
export { type EmailVerification, emailVerification } from './auth/email-verification.ts';
export { type IdentityLinks, identityLinks, type LinkedIdentity } from './auth/profile.ts';
export { type Reauthentication, reauthentication } from './auth/reauthentication.ts';
export type {
  BaseContext,
  Caller,
  DeclaredErrors,
  Graph,
  GraphRole,
  Log,
  OrgRole,
  Progress,
  Question,
  ReadContext,
  RunContext,
  WriteContext,
} from './define/context.ts';
export { defineEvent, type EventType } from './define/event.ts';
export { defineJob, type Job, type JobContext } from './define/job.ts';
export type { Effect, GraphNeed, ValidationErrors } from './define/need.ts';
export { defineOperation, type Operation } from './define/operation.ts';
export { defineConfig, definePlugin, type Plugin, type PluginConfig, type PluginParts } from './define/plugin.ts';
export { defineQuery, type Query } from './define/query.ts';
export { type Answer, answer, defineRoute, type Route, type RouteContext, type StreamAnswer } from './define/route.ts';
export { defineView, type View } from './define/view.ts';
export type { ErrorKind, Issue } from './errors/kinds.ts';
export {
  invalidInput,
  isServiceError,
  notFound,
  ServiceError,
  type ServiceErrorOptions,
} from './errors/service-error.ts';
export { type MailQueue, mailQueue } from './mail/mail-queue.ts';
export {
  anything,
  calendarDate,
  instant,
  model,
  nullable,
  oneOf,
  openModel,
  type Schema,
  type TypeOf,
} from './schema/model.ts';
export { type EventPublisher, eventPublisher } from './services/events.ts';
export {
  type Clock,
  type Domains,
  type GraphProvisioner,
  type GraphRecord,
  type Graphs,
  type Ids,
  type InitialEntity,
  kernel,
} from './services/kernel-tokens.ts';
export { type Contribution, contribute, type Provider, provide } from './services/provider.ts';
export {
  type Collection,
  type CollectionEntry,
  createCollection,
  createToken,
  type Needs,
  type Token,
  type Use,
} from './services/token.ts';
export { type KernelSettings, kernelSettings } from './settings/kernel-settings.ts';
export * from './store/analytical.ts';
export { type Kysely, type RawBuilder, sql } from './store/sql.ts';
export { type Scope, type Store, StoreError, type Transaction } from './store/store.ts';
export { type MemberDeparture, type MemberLeaving, memberDepartures } from './tenancy/member-departure.ts';
