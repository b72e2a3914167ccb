/** The company whose books a graph keeps, and its counterparties. */
export { agentTypes, mergeDeep, problemOfAgent, problemOfAgentFacts } from './agents.ts';
export { chosenStyle, unshownConcepts } from './chosen-style.ts';
export { normalizedFields, problemOfEntity } from './entity-fields.ts';
export { partyContributions } from './entity-links.ts';
export {
  type DeclaredSources,
  type LinkedEntities,
  type LinkedEntity,
  type LinkedEntityFields,
  type LinkedEntityListener,
  type SharedEntity,
  StoredLinkedEntities,
} from './linked-entities.ts';
export { type AgentRow, StoredAgents } from './stored-agents.ts';
export {
  type Entities,
  type EntityRow,
  type EntitySummary,
  entitySources,
  type NamedEntity,
  StoredEntities,
} from './stored-entities.ts';
