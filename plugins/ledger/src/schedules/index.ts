/** Schedules of entries: their months, drafts, obligations and disposals. */
export { AssetDisposal } from './asset-disposal.ts';
export { DisposalUndo } from './disposal-undo.ts';
export { ObligationSweep, sweepIntervalSeconds } from './obligation-sweep.ts';
export { Obligations, type ScheduleSettings } from './obligations.ts';
export { type PlannedMovement, type PlannedMovements, storedMovements } from './planned-movements.ts';
export { ScheduleBlock } from './schedule-block.ts';
export { blockName, scheduleBlockType } from './schedule-block-type.ts';
export { ScheduleChanges } from './schedule-changes.ts';
export { countedByDisposal, lockSchedule } from './schedule-checks.ts';
export { scheduleClose } from './schedule-close.ts';
export { ScheduleDrafts } from './schedule-drafts.ts';
export { scheduleHandlers } from './schedule-handlers.ts';
export { ScheduleJournal } from './schedule-journal.ts';
export { ScheduleWriter } from './schedule-writer.ts';
export { StoredSchedules } from './stored-schedules.ts';
export { requireHome, type StructureHomes } from './structure-home.ts';
