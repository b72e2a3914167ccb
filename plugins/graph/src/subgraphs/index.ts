/** Subgraphs: databases next to a graph that its members write (graphs 14). */
export { lostDeletionMs, subgraphChanged, whileHidden } from './deletion.ts';
export { planSubgraph, problemOfTables } from './plan.ts';
export { RunningStatements, runningStatements } from './running-statements.ts';
export { accessOf, megabytes, subgraphAnswer } from './subgraph-answers.ts';
export { subgraphErrors } from './subgraph-errors.ts';
