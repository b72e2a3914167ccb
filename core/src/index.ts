/** The entry point for plugin authors. All exports are public API, with the promises of CONTRIBUTING.md. */

export { auditChains } from './audit/audit-chains.ts';
export { requestFacts } from './audit/request-facts.ts';
export { type SecurityAudit, type SecurityEvent, securityAudit } from './audit/security-audit.ts';
export { type Authenticator, authenticator } from './auth/authenticate.ts';
export { type Bridge, bridge } from './auth/bridge.ts';
export { type BruteForce, bruteForce } from './auth/brute-force.ts';
export { type Captcha, captcha } from './auth/captcha.ts';
export { type EmailVerification, emailVerification } from './auth/email-verification.ts';
export { type IdentityLinks, identityLinks, type LinkedIdentity } from './auth/profile.ts';
export { normalEmail } from './auth/profile-rules.ts';
export { type Reauthentication, reauthentication } from './auth/reauthentication.ts';
export { type ChainHead, type ExpiredRows, HashChain } from './chain/hash-chain.ts';
export { type Credits, credits, creditsExhausted, type Grant } from './credits/credits.ts';
export type { PoolOwner } from './credits/pool-rows.ts';
export type { CallFacts, CallKey, Charge } from './credits/reservations.ts';
export { type ModelPrice, modelPrices, type TokenUsage } from './credits/token-prices.ts';
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
export { type Admitted, defineOperation, finishedAtOnce, type Operation } from './define/operation.ts';
export { defineConfig, definePlugin, type Plugin, type PluginConfig, type PluginParts } from './define/plugin.ts';
export { defineQuery, type FieldCost, type Query } from './define/query.ts';
export type { Effect, RequiredRole, ValidationErrors } from './define/required-role.ts';
export {
  type Answer,
  answer,
  defineRoute,
  graphOf,
  type Route,
  type RouteContext,
  type StreamAnswer,
} from './define/route.ts';
export { defineView, type View } from './define/view.ts';
export type { ErrorKind, Issue } from './errors/kinds.ts';
export {
  invalidInput,
  isServiceError,
  notFound,
  ServiceError,
  type ServiceErrorOptions,
} from './errors/service-error.ts';
export { default as graphCreated } from './events/graph-created.ts';
export { default as graphMemberChanged } from './events/graph-member-changed.ts';
export { default as orgMemberAdded } from './events/org-member-added.ts';
export { default as orgMemberRemoved } from './events/org-member-removed.ts';
export { default as userDeactivated } from './events/user-deactivated.ts';
export { default as userRegistered } from './events/user-registered.ts';
export { kernelCategories, requestsPerMinute } from './limits/categories.ts';
export { type MailQueue, mailQueue } from './mail/mail-queue.ts';
export {
  anything,
  calendarDate,
  instant,
  mapModel,
  model,
  nullable,
  oneOf,
  openModel,
  type Schema,
  type TypeOf,
} from './schema/model.ts';
export { type Page, pageOf } from './schema/page.ts';
export { isWebLink } from './schema/web-link.ts';
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
export { type OperationRuns, operationRuns, type RunState } from './services/operation-runs.ts';
export { type Contribution, contribute, type Provider, provide } from './services/provider.ts';
export {
  type Collection,
  type CollectionEntry,
  createCollection,
  createToken,
  type ServiceTokens,
  type Token,
  type Use,
} from './services/token.ts';
export { type KernelSettings, kernelSettings } from './settings/kernel-settings.ts';
export * from './store/analytical.ts';
export { columnsOf, type RowOf } from './store/columns.ts';
export { type Kysely, type RawBuilder, sql } from './store/sql.ts';
export {
  type Scope,
  type Store,
  StoreError,
  type TableAccess,
  type TableDeclarations,
  type Transaction,
} from './store/store.ts';
export { textList } from './store/text-list.ts';
export { type GraphAdmission, type GraphOrder, graphAdmission } from './tenancy/graph-admission.ts';
export { requireGraphId } from './tenancy/graph-id.ts';
export { publishedTiers } from './tenancy/graph-tiers.ts';
export { type MemberDeparture, type MemberLeaving, memberDepartures } from './tenancy/member-departure.ts';
export { monthDayOf } from './tenancy/month-day.ts';
export {
  type OfferedRepository,
  offeredRepositories,
  type RepositoryPlan,
} from './tenancy/offered-repositories.ts';
export { type OrgDirectory, orgDirectory } from './tenancy/org-directory.ts';
export { type ProvisioningGate, provisioningGates, requirePayment } from './tenancy/provisioning-gates.ts';
export { soldTier, type TierNumbers, tierNumbers } from './tenancy/tier-numbers.ts';
export { type GraphUsage, graphUsage, slowQueryMs, type UsagePeriod } from './usage/graph-usage.ts';
export { gigabytes } from './usage/org-usage.ts';
export { type Usage, usage } from './usage/usage.ts';
