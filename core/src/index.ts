/**
 * The entry point for plugin authors, in the groups of `core/README.md`, which has an example of each. All exports are
 * public API, with the promises of CONTRIBUTING.md.
 */

// Definitions: the parts of a plugin, and the contexts of their handlers.

export { type Command, type CommandContext, defineCommand } from './define/command.ts';
export type {
  Caller,
  Graph,
  GraphRole,
  Log,
  OrgRole,
  Progress,
  QueryContext,
  ReadContext,
  RunContext,
  WriteContext,
} from './define/context.ts';
export { defineEvent, type EventType } from './define/event.ts';
export { defineField, type Field } from './define/field.ts';
export { defineJob, type Job, type JobContext } from './define/job.ts';
export {
  type Admitted,
  type CompletedCall,
  defineOperation,
  finishedAtOnce,
  type Operation,
} from './define/operation.ts';
export { defineConfig, definePlugin, type Plugin, type PluginConfig, type PluginParts } from './define/plugin.ts';
export { defineQuery, type Query } from './define/query.ts';
export {
  answer,
  defineRoute,
  eventStream,
  graphOf,
  type Route,
  type RouteContext,
  type RouteEntry,
  type StreamAnswer,
} from './define/route.ts';
export { defineRun, type Run } from './define/run.ts';
export {
  defineTool,
  type GraphKind,
  type StartedRun,
  type Tool,
  type ToolContext,
  type ToolGate,
  type ToolOfPart,
  type ToolOfQuery,
  type ToolSource,
} from './define/tool.ts';
export { defineView, type View } from './define/view.ts';

// Schemas: models, and the values in them.

export { default as searchResponse } from './models/SearchResponse.ts';
export { normalEmail } from './schema/email-address.ts';
export {
  anything,
  calendarDate,
  instant,
  mapOf,
  model,
  nullable,
  oneOf,
  openObject,
  type Schema,
  type TypeOf,
} from './schema/model.ts';
export { type Page, pageOf } from './schema/page.ts';
export { isSensitiveName } from './schema/sensitive-names.ts';
export { SchemaValidator, schemaValidator } from './schema/validate.ts';
export { isWebLink } from './schema/web-link.ts';
export { monthDayOf } from './tenancy/month-day.ts';

// Services: tokens, providers, collections, and the services of every deployment.

export { type Contribution, contribute, type Provider, provide, providePart } from './container/provider.ts';
export {
  type Collection,
  type CollectionEntry,
  createCollection,
  createToken,
  type ServiceTokens,
  type Token,
  type Use,
} from './container/token.ts';
export { fileErrors, fileFailure } from './files/file-failure.ts';
export { type FileTransfers, fileTransfers } from './files/file-transfers.ts';
export { type SigningKeys, signingKeys } from './secrets/signing-keys.ts';
export { type Clock, type Ids, kernel } from './services/kernel-tokens.ts';
export { type PluginPage, pluginPages } from './services/plugin-pages.ts';
export { type KernelSettings, kernelSettings, serviceUrl } from './settings/kernel-settings.ts';

// Store: rows of a plugin, in transactions.

export { columnsOf, type RowOf } from './store/columns.ts';
export { type RawBuilder, sql, textList } from './store/sql.ts';
export { isStorable } from './store/storable.ts';
export {
  type Scope,
  type Store,
  StoreError,
  type TableAccess,
  type Transaction,
} from './store/store.ts';

// Errors: refusals with a status, a code and a message.

export type { Issue } from './errors/kinds.ts';
export { invalidInput, isServiceError, notFound, ServiceError } from './errors/service-error.ts';

// Events and runs: what happened in the kernel, and operations that a plugin starts.

export { parseBody } from './envelope/json-body.ts';
export { type OperationRuns, operationRuns, type RunState, systemCaller } from './envelope/operation-runs.ts';
export { default as graphCreated } from './events/graph-created.ts';
export { default as graphMemberChanged } from './events/graph-member-changed.ts';
export { default as graphRemoved } from './events/graph-removed.ts';
export { default as orgMemberAdded } from './events/org-member-added.ts';
export { default as orgMemberRemoved } from './events/org-member-removed.ts';
export { default as userDeactivated } from './events/user-deactivated.ts';
export { default as userRegistered } from './events/user-registered.ts';
export { isBaseType } from './graph-schema/column-type.ts';
export { Notifier } from './jobs/notifier.ts';
export { operationLinks } from './jobs/operation-links.ts';
export { isAttemptEnd, isRunCanceled, isRunRepeated, isRunTimedOut } from './jobs/run-failure.ts';
export { type EventPublisher, eventPublisher } from './services/events.ts';
export { type ChangeFeed, changeFeed } from './sse/change-feed.ts';
export { type ChangeKind, type GraphChange, type HeardChange, noteAccessOfUsers, noteChanges } from './sse/changes.ts';

// Graphs and people: the registry of graphs, rights on them, organizations.

export { type AppGrant, type AppGrants, appGrants } from './auth/app-grants.ts';
export { type VerifiedUsers, verifiedUsers } from './auth/verified-users.ts';
export { type GraphRemovals, graphRemovals } from './jobs/graph-removals.ts';
export type { Domains, GraphRecord, Graphs, InitialEntity, StaleGraph } from './services/kernel-tokens.ts';
export { type GraphAccess, graphAccess } from './tenancy/graph-access.ts';
export { type GraphAdmission, graphAdmission } from './tenancy/graph-admission.ts';
export { isGraphId, requireGraphId } from './tenancy/graph-id.ts';
export { type GraphRemovalStep, graphRemovalSteps, type RemovedGraph } from './tenancy/graph-removal-step.ts';
export { type MemberDeparture, memberDepartures } from './tenancy/member-departure.ts';
export { type OrgDirectory, orgDirectory } from './tenancy/org-directory.ts';
export { type SubgraphRemoval, subgraphRemovals } from './tenancy/subgraph-removal.ts';
export {
  type CopyAttempt,
  type NewSubgraph,
  type Subgraph,
  type SubgraphDatabase,
  type Subgraphs,
  type SubgraphType,
  subgraphs,
} from './tenancy/subgraphs.ts';

// Credits, plans and usage: what calls cost, what tiers include, what is measured.

export { type Credits, credits, creditsExhausted } from './credits/credits.ts';
export { graphUsage, slowQueryMs } from './credits/graph-usage.ts';
export { gigabytes } from './credits/org-usage.ts';
export type { CallKey, ChargedCalls } from './credits/reservations.ts';
export { modelPrices, type TokenPrices, type TokenUsage, tokenPrices } from './credits/token-prices.ts';
export { type OfferedRepository, offeredRepositories } from './tenancy/offered-repositories.ts';
export { planBilling } from './tenancy/plan-billing.ts';
export { provisioningGates } from './tenancy/provisioning-gates.ts';
export { type EndingRequest, type SubscriptionEnding, subscriptionEndings } from './tenancy/subscription-endings.ts';
export { soldTier, type TierNumbers, tierNumbers } from './tenancy/tier-numbers.ts';
export { type Usage, usage } from './usage/usage.ts';

// Tools: what AI clients and operators may call on a graph.

export {
  type JsonSchema,
  type ListedTool,
  type ToolCall,
  type ToolCatalog,
  type ToolResult,
  type ToolScope,
  toolCatalog,
} from './tool-catalog/catalog.ts';
export { type ToolQuestion, type ToolRun, type ToolRuns, toolRuns } from './tool-catalog/tool-run.ts';

// Limits: rate categories of parts.

export { kernelCategories, rateCategories, requestsPerMinute } from './limits/categories.ts';
export { type Traffic, traffic } from './limits/traffic.ts';

// Audit: the record of security events, hash chains for logs of a plugin, and the trace in the id of a request.

export { requestFacts } from './audit/request-facts.ts';
export { type RequestFacts, type SecurityAudit, type SecurityEvent, securityAudit } from './audit/security-audit.ts';
export { tracedRequestId, traceparentOf } from './audit/traced-request-id.ts';
export { type ChainHead, HashChain } from './chain/hash-chain.ts';

// Analytical graph: nodes and relationships, the rows that fill them, and the schema of a graph.

export {
  type CheckedDefinition,
  type Freshness,
  type GraphFacts,
  type GraphReads,
  type GraphRows,
  type GraphSchemas,
  graphReads,
  graphSchemas,
  type RowLimits,
  type SchemaDefinition,
  type SchemaProblem,
  type SchemaStats,
} from './graph-schema/index.ts';
export {
  type AnalyticalColumn,
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalRow,
  type AnalyticalSchema,
  defineNode,
  defineRelationship,
  schemaForGraph,
} from './store/analytical.ts';

// Texts: the sections of Markdown, the escaping of markup, lines of terminals, the arguments that a person approves,
// and the documents of a graph.
export { type DocumentText, type DocumentTexts, documentTexts } from './texts/document-texts.ts';
export {
  characterCount,
  type MarkdownHeading,
  markdownHeadings,
  sectionSlugger,
  sectionSlugs,
} from './texts/markdown-headings.ts';
export { escapeMarkup } from './texts/markup.ts';
export { oneLine } from './texts/one-line.ts';
export {
  type PassageLimit,
  type SearchablePassage,
  type SearchableText,
  type SearchableTexts,
  searchableTexts,
  type TextChanges,
  textChanges,
} from './texts/searchable-texts.ts';
export { maxShownValues, shownArguments } from './texts/shown-arguments.ts';
