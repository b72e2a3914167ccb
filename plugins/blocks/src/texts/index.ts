/** Text blocks: sections of documents, what binds them, and drift. */
export { isTextArrangement, TextBinder } from './text-binder.ts';
export { driftedStructures, withDriftWarning } from './text-drift.ts';
