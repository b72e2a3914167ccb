import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import securityUpdated from '../events/security-updated.ts';
import { investments } from '../investments.ts';
import { SecurityResponse, securityView, shareCount } from '../models/securities.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

const UpdateSecurityOperation = model(
  'UpdateSecurityOperation',
  {
    security_id: Type.String(),
    entity_id: optionalText(),
    source_graph_id: optionalText(),
    name: optionalText(),
    security_type: optionalText(),
    security_subtype: optionalText(),
    terms: Type.Optional(nullable(openObject())),
    is_active: Type.Optional(nullable(Type.Boolean())),
    authorized_shares: shareCount(),
    outstanding_shares: shareCount(),
  },
  {
    fields: {
      entity_id: 'The issuer; null unlinks it.',
      source_graph_id:
        'An issuer that was linked by the old graph is looked up by the new one, unless entity_id is given.',
      terms: 'Replace all stored terms; null leaves them, and {} clears them.',
      is_active: 'True activates a deleted security again.',
    },
  },
);

export default defineOperation({
  name: 'update-security',
  summary: 'Changes a security; omitted fields stay, and null clears those that may be empty.',
  role: 'member',
  openapi: { id: 'update_security', tag: 'extensions_robo_investor' },
  input: UpdateSecurityOperation,
  output: SecurityResponse,
  mcp: { hint: 'Changes the details of a security; omitted fields stay.', idempotent: true },
  services: { investments },
  stale: 'security_updated',
  emits: [securityUpdated],
  errors: {
    NOT_FOUND: 'The graph has no security, or no entity, with this id.',
    SOURCE_GRAPH_MISMATCH: { kind: 'conflict', meaning: 'The issuer is linked to another graph than the stated one.' },
    INVALID_INPUT: 'A text, the source graph, the terms or the shares are out of bounds; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { security_id: id, ...patch } = input;
    const change = { patch, now: ctx.now(), log: ctx.log };
    const row = await use.investments.securityEditor.update(ctx.tx, id, change);
    ctx.emit(securityUpdated, { graph_id: ctx.graph.id, security_id: id });
    return securityView(row, await use.investments.issuers.summaries(ctx.tx, [row.entity_id]));
  },
});
