import { calendarDate, instant, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { totals } from '../journal/index.ts';
import type { ReconcilingPlan } from '../reconciling/index.ts';
import { exactMinor } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));
const dispositions = ['acknowledge', 'catch_up', 'restate'] as const;
const Disposition = oneOf(dispositions);

const DeltaLine = model('ReconcilingItemDeltaLine', {
  prior_net: Type.Integer(),
  accepted_net: Type.Integer(),
  delta: Type.Integer(),
  element_id: text(),
  element_external_id: text(),
  element_code: text(),
  element_name: text(),
});

const EntrySummary = model('ReconcilingItemEntrySummary', {
  entry_id: text(),
  external_id: text(),
  posting_date: Type.Optional(nullable(calendarDate())),
  memo: text(),
  status: text(),
  total_debit: Type.Optional(Type.Integer({ default: 0 })),
  total_credit: Type.Optional(Type.Integer({ default: 0 })),
});

export const PreviewReconcilingItemRequest = model('PreviewReconcilingItemRequest', { event_id: Type.String() });

export const ReconcilingItemPlan = model('ReconcilingItemPlan', {
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

export const ResolveReconcilingItemRequest = model('ResolveReconcilingItemRequest', {
  event_id: Type.String(),
  disposition: Type.Optional(nullable(oneOf(dispositions))),
  posting_date: Type.Optional(nullable(calendarDate())),
  status: Type.Optional(oneOf(['draft', 'posted'], { default: 'draft' })),
  note: text(),
  reference_event_id: text(),
});

export const ResolveReconcilingItemResponse = model('ResolveReconcilingItemResponse', {
  event_id: Type.String(),
  disposition: Disposition,
  resolved_at: instant(),
  resolved_by: Type.String(),
  external_id: text(),
  delta: Type.Optional(Type.Array(DeltaLine)),
  no_gl_effect: Type.Optional(Type.Boolean({ default: false })),
  catch_up: Type.Optional(
    nullable(
      model('ReconcilingItemCatchUp', {
        event_id: Type.String(),
        posting_date: calendarDate(),
        status: Type.String(),
        entry_id: text(),
        transaction_id: text(),
      }),
    ),
  ),
  regenerated: Type.Optional(
    nullable(
      model('ReconcilingItemRegenerated', {
        transaction_ids: Type.Optional(Type.Array(Type.String())),
        entry_ids: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  ),
  reference_event_id: text(),
  note: text(),
});

/** The difference on each account, in minor units, debit-positive. */
export function deltaView(plan: ReconcilingPlan) {
  return plan.delta.map((line) => ({
    prior_net: exactMinor(line.prior, 'The net of an account in the books'),
    accepted_net: exactMinor(line.accepted, 'The net of an account at the source'),
    delta: exactMinor(line.delta, 'The difference of an account'),
    element_id: line.elementId,
    element_external_id: line.externalId,
    element_code: line.account?.code ?? null,
    element_name: line.account?.name ?? null,
  }));
}

/** A plan as the wire shows it. */
export function planView(plan: ReconcilingPlan) {
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
