import { type Contribution, contribute, isServiceError, type Token, type Transaction } from '@pacioli/core';
import { checked, type EventHandler, type PlanWork } from '../event-blocks/index.ts';
import type { JournalPlan, PlannedEntry } from '../journal/index.ts';
import { eventHandlers } from '../tokens.ts';
import { boundsOf, exactMinor, writeConflict } from '../values/index.ts';
import type { AssetDisposal, DisposalEffect } from './asset-disposal.ts';
import type { Obligations } from './obligations.ts';
import { lockSchedule, requireCurrency, requireSchedule, scheduleNotFound } from './schedule-checks.ts';
import {
  type DraftDecision,
  type DraftRequest,
  datesOf,
  movesNothing,
  type ScheduleDrafts,
} from './schedule-drafts.ts';
import { readEntryDue, readScheduleId } from './schedule-metadata.ts';
import type { StoredSchedules } from './stored-schedules.ts';

/** The handlers of schedule events (ledger 5.5). */
export const scheduleHandlers = (scheduling: Token<HandlerServices>): readonly Contribution[] => [
  contribute(eventHandlers, 'schedule_created', {
    services: { scheduling },
    create: ({ scheduling: use }): Omit<EventHandler, 'key'> => ({
      displayName: 'Schedule',
      plan: async ({ tx, event }) => {
        await requireSchedule(
          use.schedules,
          tx,
          checked(() => readScheduleId(event.metadata)),
        );
        return { eventStatus: 'committed', transactionId: null, entries: [] };
      },
    }),
  }),
  contribute(eventHandlers, 'schedule_entry_due', {
    services: { scheduling },
    create: ({ scheduling: use }): Omit<EventHandler<EntryDueEffect>, 'key'> => ({
      displayName: 'Schedule entry',
      plan: ({ tx, event }) => planEntryDue(use, tx, event),
      lockFirst: async (tx, { scheduleId }) => {
        await lockSchedule(use.schedules, tx, scheduleId);
      },
      apply: (work, effect) => draftEntryDue(use, work, effect),
    }),
  }),
  contribute(eventHandlers, 'asset_disposed', {
    services: { scheduling },
    create: ({ scheduling: use }): Omit<EventHandler<DisposalEffect>, 'key'> => ({
      displayName: 'Asset disposal',
      plan: ({ tx, event }) => use.disposal.plan(tx, event),
      lockFirst: async (tx, { scheduleId }) => {
        await lockSchedule(use.schedules, tx, scheduleId);
      },
      apply: (work, effect) => use.disposal.apply(work, effect),
    }),
  }),
];

interface HandlerServices {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly drafts: ScheduleDrafts;
  readonly disposal: AssetDisposal;
}

/** The month to draft, with the outcome that was planned for it. */
interface EntryDueEffect {
  readonly scheduleId: string;
  readonly request: DraftRequest;
  readonly outcome: DraftDecision['outcome'];
}

/** Plans the draft of one month (ledger L-183). */
async function planEntryDue(
  parts: HandlerServices,
  tx: Transaction,
  event: { readonly currency: string; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<JournalPlan<EntryDueEffect>> {
  const request = checked(() => readEntryDue(event.metadata));
  const schedule = await requireSchedule(parts.schedules, tx, request.scheduleId);
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
  parts: HandlerServices,
  { months, eventId, userId, now }: PlanWork,
  { scheduleId, request, outcome }: EntryDueEffect,
): Promise<void> {
  const { tx } = months;
  const { obligations, drafts } = parts;
  const open = { scheduleId, periods: [request.period], statuses: ['pending', 'classified'] };
  const due = await obligations.list(tx, open, maxObligationsOfMonth);
  const obligation = due.find((each) => each.eventId !== eventId);
  const decision = await decideMonth(parts, tx, request);
  if (decision.outcome !== outcome) throw writeConflict(`Schedule '${decision.schedule.name}'`);
  if (movesNothing(decision)) await obligations.void(tx, open, { reason: 'no_amount' });
  else if (obligation !== undefined) await obligations.classify(tx, [obligation.eventId]);
  const work = [{ decision, eventId: obligation?.eventId ?? eventId }];
  await drafts.write(months, work, { userId, now });
  await obligations.reschedule(tx);
}

async function decideMonth(
  { drafts }: HandlerServices,
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
