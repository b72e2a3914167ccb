import { createToken } from '@pacioli/core';
import type {
  AssetDisposal,
  DisposalUndo,
  ObligationSweep,
  Obligations,
  ScheduleBlock,
  ScheduleChanges,
  ScheduleDrafts,
  ScheduleJournal,
  ScheduleWriter,
  StoredSchedules,
} from '../schedules/index.ts';

/** Services of schedules that only this plugin's own parts use. */
export const scheduleStore = createToken<StoredSchedules>('ledger.schedule-store');
export const obligationStore = createToken<Obligations>('ledger.obligation-store');
export const scheduleJournal = createToken<ScheduleJournal>('ledger.schedule-journal');
export const scheduleDrafts = createToken<ScheduleDrafts>('ledger.schedule-drafts');
export const scheduleBlock = createToken<ScheduleBlock>('ledger.schedule-block');
export const scheduleWriter = createToken<ScheduleWriter>('ledger.schedule-writer');
export const scheduleChanges = createToken<ScheduleChanges>('ledger.schedule-changes');
export const obligationSweep = createToken<ObligationSweep>('ledger.obligation-sweep');
export const assetDisposal = createToken<AssetDisposal>('ledger.asset-disposal');
export const disposalUndo = createToken<DisposalUndo>('ledger.disposal-undo');
