/** Cypher statements of callers: the gate that keeps them reading, their answers and their failures. */
export { answerForm, maxJsonRows } from './answer-form.ts';
export { changesRows, gateStatement } from './cypher-gate.ts';
export { checkedStatement } from './cypher-request.ts';
export { collectRows, maxStoredBytes } from './json-answer.ts';
export { rowObject, toJson } from './json-values.ts';
export { answerStatement } from './query-answer.ts';
export { gateFailure, isEngineFault, queryErrors, queryFailure } from './query-failure.ts';
export { maxQueriesPerUser, QuerySlots, querySlots } from './query-slots.ts';
export { packParameters, queueStatement, unpackParameters } from './queued-query.ts';
export { noteSlowQuery } from './slow-queries.ts';
export { priorityOfTier, StatementQueue } from './statement-queue.ts';
export { isBusy, noWait, reportedTurn, runForTool, statementArguments, statementRows } from './tool-statement.ts';
