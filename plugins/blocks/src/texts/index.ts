/** Text blocks: sections of documents, their binding, and drift. */
export { isTextArrangement, TextBinder } from './text-binder.ts';
export { driftedStructures, withDriftWarning } from './text-drift.ts';
