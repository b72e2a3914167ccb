import { kernel, type Provider, provide } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { EventSources } from './event-sources.ts';
import { HandlerEditor } from './handler-editor.ts';
import { agentStore, handlerEditor, handlerStore, liveSources, tenantRules } from './internal-tokens.ts';
import { eventSources } from './source-tokens.ts';
import { StoredHandlers } from './store/stored-handlers.ts';
import { TenantRules } from './tenant-rules.ts';
import { eventHandlers } from './tokens.ts';

/** The services for the rules of the tenant. */
export const handlerServices: readonly Provider[] = [
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
