import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import securityCreated from '../events/security-created.ts';
import { investments } from '../investments.ts';
import { SecurityResponse, securityView, shareCount } from '../models/securities.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

const CreateSecurityRequest = model(
  'CreateSecurityRequest',
  {
    name: Type.String(),
    security_type: Type.String(),
    entity_id: optionalText(),
    source_graph_id: optionalText(),
    security_subtype: optionalText(),
    terms: Type.Optional(openObject()),
    authorized_shares: shareCount(),
    outstanding_shares: shareCount(),
  },
  {
    fields: {
      name: '1 to 200 characters; need not be unique.',
      security_type:
        'Such as `common_stock`, `preferred_stock`, `convertible_note`, `safe` or `lp_interest`; others are accepted.',
      entity_id: 'The issuer, an entity of this graph.',
      source_graph_id:
        'The graph of an issuer that shares its reports: the security is linked to its entity, at the latest at its first share.',
      security_subtype: 'Such as `class_a` or `series_seed`.',
      terms: 'The terms of the instrument; their keys depend on the type. At most 64 KiB and 8 levels.',
      outstanding_shares: 'At most the authorized shares.',
    },
  },
);

export default defineOperation({
  name: 'create-security',
  summary: 'Adds a security that portfolios can hold; positions never create one.',
  role: 'member',
  openapi: { id: 'create_security', tag: 'extensions_robo_investor' },
  input: CreateSecurityRequest,
  output: SecurityResponse,
  mcp: { hint: 'Adds a security before positions in it are recorded; look for an existing one first.' },
  services: { investments },
  stale: 'security_created',
  emits: [securityCreated],
  errors: {
    NOT_FOUND: 'The graph has no entity with this id.',
    SOURCE_GRAPH_MISMATCH: { kind: 'conflict', meaning: 'The issuer is linked to another graph than the stated one.' },
    INVALID_INPUT: 'A text, the source graph, the terms or the shares are out of bounds; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const by = { userId: ctx.caller.userId, now: ctx.now(), log: ctx.log };
    const row = await use.investments.securityEditor.create(ctx.tx, input, by);
    ctx.emit(securityCreated, { graph_id: ctx.graph.id, security_id: row.id });
    return securityView(row, await use.investments.issuers.summaries(ctx.tx, [row.entity_id]));
  },
});
