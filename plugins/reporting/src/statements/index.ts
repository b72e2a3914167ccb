/** Financial statements: their inputs, their lines, and the checks on them. */
export { FlowReader } from './flow-reader.ts';
export {
  isFlowStatement,
  isStatementKind,
  makeFlowStatement,
  makeStatement,
  type Statement,
  type StatementKind,
  statementKinds,
} from './statement.ts';
export type { ShownRow } from './statement-lines.ts';
export { StatementReader } from './statement-reader.ts';
export { priorOf, type Window, windowOf } from './window.ts';
