import { defineOperation, definePlugin, model } from '@pacioli/core';
import { linkedEntities } from '@pacioli/ledger';
import { Type } from 'typebox';

/** Receives the first share of an issuer, as a report shared from its graph does: its entity is created and linked. */
const receiveShare = defineOperation({
  name: 'receive-share',
  summary: 'Links the entity of another graph.',
  role: 'member',
  domain: 'investor',
  openapi: { id: 'receive_share', tag: 'test' },
  mcp: { held: 'Only for tests.' },
  input: model('ReceiveShareRequest', {
    source_graph_id: Type.String(),
    name: Type.String(),
    cik: Type.Optional(Type.String()),
  }),
  output: model('ReceiveShareResponse', { entity_id: Type.String() }),
  services: { linkedEntities },
  async handle({ input, ctx, use }) {
    const fields = {
      name: input.name,
      legal_name: null,
      entity_type: null,
      industry: null,
      cik: input.cik ?? null,
      ticker: null,
      state_of_incorporation: null,
    };
    const entity = { sourceGraphId: input.source_graph_id, fields, addressCountry: null };
    return { entity_id: await use.linkedEntities.ensure(ctx.tx, entity, ctx.now()) };
  },
});

/** Stands for the distribution of reports, which is not part of this package. */
export const sharing = definePlugin({
  name: 'sharing',
  title: 'Receives shares',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger', 'investor'],
  operations: [receiveShare],
});
