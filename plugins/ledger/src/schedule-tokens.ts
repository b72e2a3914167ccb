import { createToken } from '@pacioli/core';
import type { AssetDisposal } from './asset-disposal.ts';
import type { DisposalUndo } from './disposal-undo.ts';
import type { ObligationSweep } from './obligation-sweep.ts';
import type { ScheduleBlock } from './schedule-block.ts';
import type { ScheduleChanges } from './schedule-changes.ts';
import type { ScheduleDrafts } from './schedule-drafts.ts';
import type { ScheduleWriter } from './schedule-writer.ts';
import type { Obligations } from './store/obligations.ts';
import type { ScheduleJournal } from './store/schedule-journal.ts';
import type { StoredSchedules } from './store/stored-schedules.ts';

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
