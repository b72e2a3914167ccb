/** Financial statements: their inputs, their lines, and the checks on them. */
export { makeComprehensiveIncome } from './comprehensive-income.ts';
export { flowRules } from './flow-layout.ts';
export { FlowReader } from './flow-reader.ts';
export { cashFlowRows, reconciliationLines } from './flow-statements.ts';
export {
  type FlowColumn,
  type FlowStatement,
  isFlowStatement,
  isStatementKind,
  makeFlowStatement,
  makeStatement,
  type Statement,
  type StatementKind,
  statementKinds,
} from './statement.ts';
export {
  type ColumnValues,
  type Layout,
  type Line,
  type MappedConcept,
  resolve,
  type ShownRow,
} from './statement-lines.ts';
export {
  StatementReader,
  type StatementReaderParts,
  type StatementSource,
} from './statement-reader.ts';
export type { Validation } from './validation.ts';
export { priorOf, type Window, windowOf } from './window.ts';
