import { type Contribution, contribute, invalidInput, isServiceError, type Transaction } from '@pacioli/core';
import { assetDisposal, obligationStore, scheduleDrafts, scheduleStore } from '../composition/schedule-tokens.ts';
import { checked } from '../event-blocks/index.ts';
import { withLockName } from '../journal/index.ts';
import { type EventHandler, eventHandlers, type JournalPlan, type PlannedEntry, type PlanWork } from '../tokens.ts';
import { boundsOf, exactMinor, writeConflict } from '../values/index.ts';
import type { DisposalEffect } from './asset-disposal.ts';
import type { Obligations } from './obligations.ts';
import {
  type DraftDecision,
  type DraftRequest,
  datesOf,
  movesNothing,
  type ScheduleDrafts,
  scheduleNotFound,
} from './schedule-drafts.ts';
import { readEntryDue, readScheduleId } from './schedule-metadata.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

/** The handlers of schedule events (ledger 5.5). */
export const scheduleHandlers: readonly Contribution[] = [
  contribute(eventHandlers, 'schedule_created', {
    services: { scheduleStore },
    create: (use): Omit<EventHandler, 'key'> => ({
      displayName: 'Schedule',
      plan: async ({ tx, event }) => {
        await requireSchedule(
          use.scheduleStore,
          tx,
          checked(() => readScheduleId(event.metadata)),
        );
        return { eventStatus: 'committed', transactionId: null, entries: [] };
      },
    }),
  }),
  contribute(eventHandlers, 'schedule_entry_due', {
    services: { scheduleStore, obligationStore, scheduleDrafts },
    create: (use): Omit<EventHandler<EntryDueEffect>, 'key'> => ({
      displayName: 'Schedule entry',
      plan: ({ tx, event }) => planEntryDue(use, tx, event),
      lockFirst: async (tx, { scheduleId }) => {
        await lockSchedule(use.scheduleStore, tx, scheduleId);
      },
      apply: (work, effect) => draftEntryDue(use, work, effect),
    }),
  }),
  contribute(eventHandlers, 'asset_disposed', {
    services: { scheduleStore, assetDisposal },
    create: (use): Omit<EventHandler<DisposalEffect>, 'key'> => ({
      displayName: 'Asset disposal',
      plan: ({ tx, event }) => use.assetDisposal.plan(tx, event),
      lockFirst: async (tx, { scheduleId }) => {
        await lockSchedule(use.scheduleStore, tx, scheduleId);
      },
      apply: (work, effect) => use.assetDisposal.apply(work, effect),
    }),
  }),
];

interface EntryDueParts {
  readonly scheduleStore: StoredSchedules;
  readonly obligationStore: Obligations;
  readonly scheduleDrafts: ScheduleDrafts;
}

/** The month to draft, with the outcome that was planned for it. */
interface EntryDueEffect {
  readonly scheduleId: string;
  readonly request: DraftRequest;
  readonly outcome: DraftDecision['outcome'];
}

/** Plans the draft of one month (ledger L-183). */
async function planEntryDue(
  parts: EntryDueParts,
  tx: Transaction,
  event: { readonly currency: string; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<JournalPlan<EntryDueEffect>> {
  const request = checked(() => readEntryDue(event.metadata));
  const schedule = await requireSchedule(parts.scheduleStore, tx, request.scheduleId);
  requireCurrency(schedule, event.currency);
  const first = await decideMonth(parts, tx, request);
  const voidReason = voidReasonOf(first);
  return {
    // A second obligation without an entry would block the close of its month (ledger 7.3).
    eventStatus: voidReason === undefined ? 'classified' : 'voided',
    // The register reads these keys, whichever of them the author has sent.
    eventMetadata: {
      posting_date: request.postingDate,
      period_start: boundsOf(request.period).start,
      period_end: boundsOf(request.period).end,
      ...(voidReason === undefined ? {} : { void_reason: voidReason }),
    },
    transactionId: null,
    entries: plannedEntries(first),
    facts: {
      outcome: first.outcome,
      amount_cents: exactMinor(first.amount, 'The amount of the month'),
      schedule_id: schedule.structure_id,
      period: request.period,
    },
    obligatedBy: schedule.anchor_event_id,
    alsoDated: datesOf(first),
    writtenBy: 'handler',
    effect: { scheduleId: schedule.structure_id, request, outcome: first.outcome },
  };
}

/** Drafts the month, together with its obligation when that is still open (ledger L-183, L-114). */
async function draftEntryDue(
  parts: EntryDueParts,
  { months, eventId, userId, now }: PlanWork,
  { scheduleId, request, outcome }: EntryDueEffect,
): Promise<void> {
  const { tx } = months;
  const { obligationStore, scheduleDrafts } = parts;
  const open = { scheduleId, periods: [request.period], statuses: ['pending', 'classified'] };
  const obligations = await obligationStore.list(tx, open, maxObligationsOfMonth);
  const obligation = obligations.find((each) => each.eventId !== eventId);
  const decision = await decideMonth(parts, tx, request);
  if (decision.outcome !== outcome) throw writeConflict(`Schedule '${decision.schedule.name}'`);
  if (movesNothing(decision)) await obligationStore.void(tx, open, { reason: 'no_amount' });
  else if (obligation !== undefined) await obligationStore.classify(tx, [obligation.eventId]);
  const work = [{ decision, eventId: obligation?.eventId ?? eventId }];
  await scheduleDrafts.write(months, work, { userId, now });
  await obligationStore.reschedule(tx);
}

async function decideMonth(
  { scheduleDrafts: drafts }: EntryDueParts,
  tx: Transaction,
  request: DraftRequest,
): Promise<DraftDecision> {
  const [decision] = await drafts.decide(tx, [request]);
  if (decision === undefined || isServiceError(decision)) throw decision ?? scheduleNotFound(request.scheduleId);
  return decision;
}

/** The reason why an event that drafts nothing is void; undefined for one that drafts its month (ledger L-183). */
function voidReasonOf(decision: DraftDecision): string | undefined {
  if (movesNothing(decision)) return 'no_amount';
  return decision.outcome === 'unchanged' ? 'unchanged' : undefined;
}

/** Limit of obligations of one month: the first one and its repetitions. */
const maxObligationsOfMonth = 100;

function plannedEntries({ outcome, wanted }: DraftDecision): readonly PlannedEntry[] {
  if (wanted === null || (outcome !== 'created' && outcome !== 'regenerated')) return [];
  const entry = { ...wanted, status: 'draft', reversalOf: null } as const;
  const { reversal } = wanted;
  return reversal === null ? [entry] : [entry, { ...entry, ...reversal, type: 'reversing' }];
}

export async function requireSchedule(schedules: StoredSchedules, tx: Transaction, id: string): Promise<ScheduleRow> {
  const schedule = await schedules.find(tx, id);
  if (schedule === undefined) throw scheduleNotFound(id);
  return schedule;
}

/** The schedule, locked before any of its events; undefined when it was deleted in the meantime (ledger L-150). */
export async function lockSchedule(
  schedules: StoredSchedules,
  tx: Transaction,
  id: string,
): Promise<ScheduleRow | undefined> {
  return (await withLockName(`Schedule ${id}`, () => schedules.lock(tx, [id]))).get(id);
}

export function requireCurrency(schedule: ScheduleRow, currency: string): void {
  if (schedule.currency !== currency)
    throw invalidInput(`currency: the schedule is in ${schedule.currency}; send its events in it too.`);
}
