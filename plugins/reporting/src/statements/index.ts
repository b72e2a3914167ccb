/** Financial statements: their inputs, their lines, and the checks on them. */
export { isStatementKind, makeStatement, type StatementKind, statementKinds } from './statement.ts';
export type { ShownRow } from './statement-lines.ts';
export { StatementReader } from './statement-reader.ts';
export { priorOf, type Window, windowOf } from './window.ts';
