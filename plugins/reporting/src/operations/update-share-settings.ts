import { defineOperation, model, nullable, oneOf, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { findShareSetting, investorDomain, setShareSetting } from '../distribution/index.ts';

/** An addition to the contract, in which everyone may send reports to every graph (investor X-7). */
export default defineOperation({
  name: 'update-share-settings',
  summary: 'Says whose reports the graph accepts: of anyone, of sources that it has declared or allowed, or of nobody.',
  role: 'admin',
  domain: 'ledger',
  alternativeDomains: [investorDomain],
  openapi: { id: 'update_share_settings', tag: 'extensions_robo_ledger' },
  input: model('UpdateShareSettingsRequest', {
    accept_shares: Type.Optional(nullable(oneOf(['anyone', 'declared', 'nobody']))),
    allowed_source_graph_ids: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }))),
  }),
  output: model('ShareSettingsResponse', {
    accept_shares: Type.String(),
    allowed_source_graph_ids: Type.Array(Type.String()),
  }),
  mcp: { held: 'Decides whose reports the graph accepts.' },
  errors: { NO_FIELDS: { kind: 'refused', meaning: 'The request has no field to change.' } },

  async handle({ input, ctx }) {
    if (input.accept_shares == null && input.allowed_source_graph_ids == null) {
      throw new ServiceError('refused', 'NO_FIELDS', 'No fields provided for update.');
    }
    const current = await findShareSetting(ctx.tx);
    const setting = {
      accept_shares: input.accept_shares ?? current.accept_shares,
      allowed_source_graph_ids: [...new Set(input.allowed_source_graph_ids ?? current.allowed_source_graph_ids)].sort(),
    };
    await setShareSetting(ctx.tx, setting, { userId: ctx.caller.userId, now: ctx.now() });
    return setting;
  },
});
