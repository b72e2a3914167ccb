/** Events: recording, preview, changes, and the handlers that turn them into journal entries. */
export { datesOfPlan, debitsOfPlan, EventDispatch } from './event-dispatch.ts';
export type { EventHandler, PlanWork } from './event-handler.ts';
export { isTerminal } from './event-life.ts';
export { EventPlanner, type EventToRecord } from './event-planner.ts';
export { EventPreview } from './event-preview.ts';
export { EventPublisher } from './event-publisher.ts';
export { EventReads, type EventRow } from './event-reads.ts';
export { EventRecorder } from './event-recorder.ts';
export { classOf, resourceTypes } from './event-rules.ts';
export {
  type EventSource,
  EventSources,
  type LiveSource,
  type LockedSource,
  requireSourceNames,
} from './event-sources.ts';
export { EventUpdater } from './event-updater.ts';
export { EventWrites } from './event-writes.ts';
export { bankHandlers } from './handlers/bank-handlers.ts';
export { builtInHandlers, checked, type ReversalOfSchedule } from './handlers/built-in-handlers.ts';
export { HandlerEditor, hubHandlerError } from './handlers/handler-editor.ts';
export { isEqualJson } from './handlers/handler-match.ts';
export { type HandlerRow, StoredHandlers } from './handlers/stored-handlers.ts';
export { TenantRules } from './handlers/tenant-rules.ts';
