import { defineOperation } from '@pacioli/core';
import { reconcilingPlanner } from '../composition/internal-tokens.ts';
import { PreviewReconcilingItemRequest, planView, ReconcilingItemPlan } from '../models/reconciling-item.ts';

export default defineOperation({
  name: 'preview-reconciling-item',
  summary: 'Shows how a provider differs from what was booked for an event, and the effect of each way to settle it.',
  // A viewer may call it, because it stores nothing (platform P-11).
  role: 'viewer',
  openapi: { id: 'preview_reconciling_item', tag: 'extensions_robo_ledger' },
  input: PreviewReconcilingItemRequest,
  output: ReconcilingItemPlan,
  services: { reconcilingPlanner },
  mcp: {
    tool: 'preview_reconciling_item',
    hint: 'Compares booked entries with what the provider says now. Nothing is written.',
  },
  errors: {
    NOT_FOUND: 'No event of this graph has the id.',
    NOT_A_RECONCILING_ITEM: { kind: 'conflict', meaning: 'The books and the provider agree on this event.' },
    INVALID_INPUT: "The provider's record cannot be read as entries; the message says where.",
  },

  async handle({ input, ctx, use }) {
    return planView(await use.reconcilingPlanner.plan(ctx.tx, input.event_id, ctx.now()));
  },
});
