import { calendarDate, defineOperation, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { totals } from '../journal/index.ts';
import { DeltaLine, Disposition, deltaView } from '../models/reconciling-item.ts';
import type { ReconcilingPlan } from '../reconciling/index.ts';
import { exactMinor } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));

const EntrySummary = model('ReconcilingItemEntrySummary', {
  entry_id: text(),
  external_id: text(),
  posting_date: Type.Optional(nullable(calendarDate())),
  memo: text(),
  status: text(),
  total_debit: Type.Optional(Type.Integer({ default: 0 })),
  total_credit: Type.Optional(Type.Integer({ default: 0 })),
});

const PreviewReconcilingItemRequest = model('PreviewReconcilingItemRequest', { event_id: Type.String() });

const ReconcilingItemPlan = model('ReconcilingItemPlan', {
  event_id: Type.String(),
  source: Type.String(),
  event_type: Type.String(),
  event_status: Type.String(),
  default_disposition: Disposition,
  external_id: text(),
  drift_detected_at: Type.Optional(nullable(instant())),
  default_posting_date: Type.Optional(nullable(calendarDate())),
  affected_posting_dates: Type.Optional(Type.Array(calendarDate())),
  closed_periods: Type.Optional(Type.Array(Type.String())),
  prior_entries: Type.Optional(Type.Array(EntrySummary)),
  accepted_entries: Type.Optional(Type.Array(EntrySummary)),
  delta: Type.Optional(Type.Array(DeltaLine)),
  no_gl_effect: Type.Optional(Type.Boolean({ default: false })),
  restate_blockers: Type.Optional(Type.Array(Type.String())),
  unmapped_element_external_ids: Type.Optional(Type.Array(Type.String())),
});

export default defineOperation({
  name: 'preview-reconciling-item',
  summary: "Compares the books with a provider's record of an event, and previews each way to resolve the difference.",
  // A viewer may call it, because it stores nothing (platform P-11).
  role: 'viewer',
  openapi: { id: 'preview_reconciling_item', tag: 'extensions_robo_ledger' },
  input: PreviewReconcilingItemRequest,
  output: ReconcilingItemPlan,
  services: { bookWrites },
  mcp: {
    hint: "Compares booked entries with the provider's current record. Nothing is written.",
    isRead: true,
  },
  errors: {
    NOT_FOUND: 'No event of this graph has the id.',
    NOT_A_RECONCILING_ITEM: { kind: 'conflict', meaning: 'The books and the provider agree on this event.' },
    INVALID_INPUT: "The provider's record cannot be read as entries; the message says where.",
  },

  async handle({ input, ctx, use }) {
    return planView(await use.bookWrites.reconcilingPlanner.plan(ctx.tx, input.event_id, ctx.now()));
  },
});

/** A plan as the wire shows it. */
function planView(plan: ReconcilingPlan) {
  const { event } = plan;
  const detectedAt = event.metadata['drift_detected_at'];
  return {
    event_id: event.id,
    source: event.source,
    event_type: event.event_type,
    event_status: event.status,
    default_disposition: plan.defaultDisposition,
    external_id: event.external_id,
    drift_detected_at: typeof detectedAt === 'string' ? detectedAt : null,
    default_posting_date: plan.defaultPostingDate,
    affected_posting_dates: [...new Set(plan.priorEntries.map((entry) => entry.posting_date))],
    closed_periods: [...plan.closedPeriods],
    prior_entries: plan.priorEntries.map((entry) => ({
      entry_id: entry.id,
      external_id: null,
      posting_date: entry.posting_date,
      memo: entry.memo,
      status: entry.status,
      total_debit: exactMinor(BigInt(entry.debit), `The total of entry ${entry.id}`),
      total_credit: exactMinor(BigInt(entry.credit), `The total of entry ${entry.id}`),
    })),
    accepted_entries: plan.acceptedEntries.map((entry) => ({
      entry_id: null,
      external_id: null,
      posting_date: entry.postingDate,
      memo: entry.memo,
      status: null,
      total_debit: exactMinor(totals(entry.lines).debit, 'The total of an entry'),
      total_credit: exactMinor(totals(entry.lines).credit, 'The total of an entry'),
    })),
    delta: deltaView(plan),
    no_gl_effect: plan.delta.length === 0,
    restate_blockers: [...plan.blockers],
    unmapped_element_external_ids: [...plan.unmapped],
  };
}
