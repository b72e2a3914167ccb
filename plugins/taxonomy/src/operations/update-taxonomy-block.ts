import { defineOperation } from '@pacioli/core';
import { taxonomyBlockEnvelope } from '../models/taxonomy-block-envelope.ts';
import { updateTaxonomyBlockRequest } from '../models/taxonomy-block-requests.ts';
import { authoring } from '../providers.ts';

export default defineOperation({
  name: 'update-taxonomy-block',
  summary: 'Adds, changes and removes parts of a taxonomy, and of a chart’s mappings, in one step.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'update_taxonomy_block', tag: 'extensions_robo_ledger' },
  input: updateTaxonomyBlockRequest,
  output: taxonomyBlockEnvelope,
  mcp: {
    hint: 'Adds, changes and removes parts of a taxonomy in one step.',
    destructive: true,
    confirmation: 'Changes the taxonomy; parts that are removed are deleted.',
  },
  services: { authoring },
  stale: 'taxonomy_block_updated',
  errors: {
    INVALID_INPUT: 'The taxonomy would contradict itself; `errors` lists every issue with phase and code.',
    NOT_FOUND: { kind: 'not_found', meaning: 'The taxonomy is not in this graph.' },
    TAXONOMY_BUSY: { kind: 'conflict', meaning: 'Another request is updating the taxonomy. Try again.' },
    TAXONOMY_AUTHORING_DISABLED: {
      kind: 'forbidden',
      meaning: 'Authoring of this taxonomy type is disabled in this deployment.',
    },
    TAXONOMY_SEEDED_ONLY: { kind: 'disabled', meaning: 'Reporting standards are shipped and cannot be changed.' },
  },
  async handle({ input, ctx, use }) {
    return use.authoring.blocks.update({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, input);
  },
});
