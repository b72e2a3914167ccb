import { defineOperation } from '@pacioli/core';
import { deleteTaxonomyBlockRequest, deleteTaxonomyBlockResponse } from '../models/taxonomy-block-requests.ts';
import { authoring } from '../providers.ts';

export default defineOperation({
  name: 'delete-taxonomy-block',
  summary: 'Deletes a taxonomy with its elements, structures, arcs and rules, and a chart with its mappings.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'delete_taxonomy_block', tag: 'extensions_robo_ledger' },
  input: deleteTaxonomyBlockRequest,
  output: deleteTaxonomyBlockResponse,
  mcp: {
    hint: 'Deletes a taxonomy with its elements, structures and rules.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the taxonomy with all its parts, and a chart with its mappings.',
  },
  services: { authoring },
  stale: 'taxonomy_block_deleted',
  errors: {
    INVALID_INPUT: 'The taxonomy is unknown or locked, or facts, journal lines or other taxonomies depend on it.',
    TAXONOMY_BUSY: { kind: 'conflict', meaning: 'Another request is updating the taxonomy. Try again.' },
    TAXONOMY_SEEDED_ONLY: { kind: 'disabled', meaning: 'Reporting standards are shipped and cannot be deleted.' },
  },
  async handle({ input, ctx, use }) {
    return use.authoring.blocks.remove({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, input);
  },
});
