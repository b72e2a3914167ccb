/** Text blocks: sections of documents, their binding, and drift. */
export { isTextArrangement } from './text-arrangements.ts';
export { TextBinder } from './text-binder.ts';
export { driftedStructures, withDriftWarning } from './text-drift.ts';
