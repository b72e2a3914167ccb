import { defineOperation } from '@pacioli/core';
import { taxonomyBlockEnvelope } from '../models/taxonomy-block-envelope.ts';
import { createTaxonomyBlockRequest } from '../models/taxonomy-block-requests.ts';
import { authoring } from '../providers.ts';

export default defineOperation({
  name: 'create-taxonomy-block',
  summary: 'Creates a chart, extension, vocabulary or schedule with all its parts in one step.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_taxonomy_block', tag: 'extensions_robo_ledger' },
  input: createTaxonomyBlockRequest,
  output: taxonomyBlockEnvelope,
  mcp: { hint: 'Creates a chart, extension, vocabulary or schedule taxonomy with all its parts in one step.' },
  services: { authoring },
  stale: 'taxonomy_block_created',
  errors: {
    INVALID_INPUT: 'The block contradicts itself or the library; `errors` lists every issue with phase and code.',
    TAXONOMY_AUTHORING_DISABLED: {
      kind: 'forbidden',
      meaning: 'Authoring of this taxonomy type is disabled in this deployment.',
    },
    TAXONOMY_BUSY: { kind: 'conflict', meaning: 'Another request took the same name or code. Try again.' },
    TAXONOMY_SEEDED_ONLY: { kind: 'disabled', meaning: 'Reporting standards are shipped and cannot be authored.' },
  },
  examples: [
    {
      input: {
        name: 'Chart of Accounts',
        taxonomy_type: 'chart_of_accounts',
        elements: [{ qname: 'coa:1000', code: '1000', name: 'Cash', trait: 'asset' }],
      },
    },
  ],
  async handle({ input, ctx, use }) {
    return use.authoring.blocks.create({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, input);
  },
});
