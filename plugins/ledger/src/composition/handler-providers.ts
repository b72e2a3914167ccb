import { kernel, type Provider, provide } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { EventSources, HandlerEditor, StoredHandlers, TenantRules } from '../event-blocks/index.ts';
import { eventSources } from '../source-tokens.ts';
import { eventHandlers } from '../tokens.ts';
import { agentStore, handlerEditor, handlerStore, liveSources, tenantRules } from './internal-tokens.ts';

/** The services for the rules of the tenant. */
export const handlerProviders: readonly Provider[] = [
  provide(handlerStore, { services: { ids: kernel.ids }, create: (use) => new StoredHandlers(use.ids) }),
  provide(liveSources, { services: { sources: eventSources }, create: (use) => new EventSources(use.sources) }),
  provide(tenantRules, {
    services: { chart: chartOfAccounts, agents: agentStore, handlers: handlerStore },
    create: (use) => new TenantRules(use),
  }),
  provide(handlerEditor, {
    services: { handlers: handlerStore, rules: tenantRules, chart: chartOfAccounts, builtIn: eventHandlers },
    create: (use) => new HandlerEditor(use),
  }),
];
