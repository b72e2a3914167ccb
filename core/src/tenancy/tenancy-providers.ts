import { securityAudit } from '../audit/security-audit.ts';
import { verifiedUsers } from '../auth/verified-users.ts';
import { type Provider, provide } from '../container/provider.ts';
import { graphEngine, graphSchemas, StoredGraphSchemas } from '../graph-schema/index.ts';
import { schemaValidator } from '../schema/validate.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { type GraphAccess, graphAccess, StoredGraphAccess } from './graph-access.ts';
import { GraphAdmission, graphAdmission } from './graph-admission.ts';
import { GraphMembers, graphMembers } from './graph-members.ts';
import { offeredRepositories } from './offered-repositories.ts';
import { orgDirectory, storedOrgDirectory } from './org-directory.ts';
import { StoredGraphs } from './stored-graphs.ts';
import { subgraphRemovals } from './subgraph-removal.ts';
import { Subgraphs, subgraphs } from './subgraphs.ts';
import { UserGraphs, userGraphs } from './user-graphs.ts';

const stored = { store: kernel.store, clock: kernel.clock, audit: securityAudit } as const;

/** The services for graphs, their members, and the rights of callers on them. */
export const tenancyProviders: readonly Provider[] = [
  provide(kernel.graphs, { services: { clock: kernel.clock }, create: (use) => new StoredGraphs(use.clock) }),
  provide(graphSchemas, {
    services: { schema: kernel.analyticalSchema, engine: graphEngine },
    create: (use) => new StoredGraphSchemas(use.schema, use.engine.types),
  }),
  provide(graphAccess, {
    services: { ...stored, repositories: offeredRepositories },
    create: (use): GraphAccess => new StoredGraphAccess(use),
  }),
  provide(graphMembers, {
    services: { ...stored, events: eventPublisher, access: graphAccess },
    create: (use) => new GraphMembers(use),
  }),
  provide(graphAdmission, {
    services: {
      verifiedUsers,
      validator: schemaValidator,
      domains: kernel.domains,
      schemas: graphSchemas,
      settings: kernelSettings,
      ids: kernel.ids,
      clock: kernel.clock,
    },
    create: (use) => new GraphAdmission(use),
  }),
  provide(subgraphs, {
    services: { removals: subgraphRemovals },
    create: ({ removals }) => new Subgraphs(removals),
  }),
  provide(orgDirectory, { create: () => storedOrgDirectory }),
  provide(userGraphs, {
    services: { store: kernel.store, domains: kernel.domains },
    create: (use) => new UserGraphs(use),
  }),
];
