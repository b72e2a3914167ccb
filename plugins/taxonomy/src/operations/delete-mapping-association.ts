import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { authoring } from '../providers.ts';

const deleteMappingAssociationOperation = model('DeleteMappingAssociationOperation', {
  mapping_id: Type.String(),
  association_id: Type.String(),
});

const deleteResult = model('DeleteResult', { deleted: Type.Boolean() });

export default defineOperation({
  name: 'delete-mapping-association',
  summary: 'Removes one arc of a mapping.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'delete_mapping_association', tag: 'extensions_robo_ledger' },
  input: deleteMappingAssociationOperation,
  output: deleteResult,
  mcp: {
    hint: 'Removes one arc of a mapping, for example to map the account elsewhere.',
    destructive: true,
    idempotent: true,
    confirmation: 'Removes the arc from the mapping.',
  },
  services: { authoring },
  stale: 'mapping_association_deleted',
  errors: {
    NOT_FOUND: { kind: 'not_found', meaning: 'The association is not in this mapping.' },
    INVALID_INPUT: 'The account has history in a closed month.',
    LIBRARY_IMMUTABLE: { kind: 'forbidden', meaning: 'The mapping belongs to the shipped library.' },
  },
  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    await use.authoring.mappings.remove(work, input.mapping_id, input.association_id);
    return { deleted: true };
  },
});
