/** Subgraphs: databases next to a graph that its members write (graphs 14). */
export { addTable, addTableErrors, addTableServices } from './add-table.ts';
export { addedNode, addedRelationship, propertyTypes } from './added-types.ts';
export { lostDeletionMs, subgraphChanged, whileHidden } from './deletion.ts';
export { planSubgraph, problemOfTables } from './plan.ts';
export { RunningStatements, runningStatements } from './running-statements.ts';
export { accessOf, megabytes, subgraphAnswer } from './subgraph-answers.ts';
export { subgraphErrors } from './subgraph-errors.ts';
