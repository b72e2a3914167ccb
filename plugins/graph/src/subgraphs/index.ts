/** Subgraphs: databases next to a graph that its members write (graphs 14). */
export { type ParentFacts, planSubgraph, problemOfTables, type SubgraphPlan } from './plan.ts';
export { megabytes, subgraphAnswer } from './subgraph-answers.ts';
export { subgraphErrors } from './subgraph-errors.ts';
