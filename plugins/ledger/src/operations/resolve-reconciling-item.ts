import { calendarDate, defineOperation, instant, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { DeltaLine, Disposition, deltaView, dispositions } from '../models/reconciling-item.ts';
import { requireTextWithinLimit } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));

const ResolveReconcilingItemRequest = model('ResolveReconcilingItemRequest', {
  event_id: Type.String(),
  disposition: Type.Optional(nullable(oneOf(dispositions))),
  posting_date: Type.Optional(nullable(calendarDate())),
  status: Type.Optional(oneOf(['draft', 'posted'], { default: 'draft' })),
  note: text(),
  reference_event_id: text(),
});

const ResolveReconcilingItemResponse = model('ResolveReconcilingItemResponse', {
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

export default defineOperation({
  name: 'resolve-reconciling-item',
  summary: 'Resolves the difference between the booked entries and the current record of the provider.',
  role: 'member',
  openapi: { id: 'resolve_reconciling_item', tag: 'extensions_robo_ledger' },
  input: ResolveReconcilingItemRequest,
  output: ResolveReconcilingItemResponse,
  services: { bookWrites },
  stale: 'reconciling_item_resolved',
  mcp: {
    hint: 'Resolves one difference with a provider: restate, catch_up or acknowledge. Preview it first.',
  },
  errors: {
    NOT_FOUND: 'No event of this graph has the id, or the id of the event that handled it.',
    NOT_A_RECONCILING_ITEM: { kind: 'conflict', meaning: 'The books and the provider agree on this event.' },
    FLAGGED_AGAIN: {
      kind: 'conflict',
      meaning: 'The provider delivered a newer version in the meantime; preview it again.',
    },
    BALANCE_BELOW_ZERO: {
      kind: 'invalid_input',
      meaning: 'An account with `no_negative` would fall below zero; `details` has its id.',
    },
    INVALID_INPUT: 'The chosen disposition is blocked, or a note is missing; the message says which.',
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ note: input.note });
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    const resolved = await use.bookWrites.reconciler.resolve(
      ctx.tx,
      {
        eventId: input.event_id,
        disposition: input.disposition ?? null,
        postingDate: input.posting_date ?? null,
        status: input.status ?? 'draft',
        note: input.note ?? null,
        referenceEventId: input.reference_event_id ?? null,
      },
      by,
    );
    return {
      event_id: input.event_id,
      disposition: resolved.disposition,
      resolved_at: by.now.toISOString(),
      resolved_by: by.userId,
      external_id: resolved.plan.event.external_id,
      delta: deltaView(resolved.plan),
      no_gl_effect: resolved.plan.delta.length === 0,
      catch_up: resolved.catchUp,
      regenerated: resolved.regenerated,
      reference_event_id: input.reference_event_id ?? null,
      note: input.note ?? null,
    };
  },
});
