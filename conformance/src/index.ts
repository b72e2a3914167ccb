/** Cases, runner and comparisons that test any deployment over HTTP. */
export { type Answer, Client, isStream, type OpenStream, type RequestOptions } from './client.ts';
export { type Contract, compareWithContract, parseAdditions, readContract } from './contract.ts';
export {
  type CaseContext,
  type CaseGraph,
  type ConformanceCase,
  defineCase,
  type Level,
  type RegisteredUser,
  type Tenants,
} from './define-case.ts';
export { diffOpenapi } from './diff-openapi.ts';
export { diffSdl } from './diff-sdl.ts';
export { type Comparison, type Difference, type DifferenceKind, describeDifference } from './difference.ts';
export type { EventFrame } from './event-stream.ts';
export { type ExpectedFailures, noExpectedFailures, parseExpectedFailures } from './expected-failures.ts';
export { genericCases } from './generic-cases.ts';
export { parseJsonCase } from './json-case.ts';
export { type Access, admitted, type CallerKind, type PermissionRow, permissionOf } from './permission-matrix.ts';
export { type CaseResult, formatReport, type Outcome, type Report, type StaleEntry } from './report.ts';
export { type RunOptions, runConformance } from './runner.ts';
export { readServed, type Served, servedOf } from './served.ts';
