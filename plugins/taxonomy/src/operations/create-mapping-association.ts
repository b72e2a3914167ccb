import { defineOperation } from '@pacioli/core';
import { associationResponse, createMappingAssociationOperation } from '../models/associations.ts';
import { authoring } from '../providers.ts';

export default defineOperation({
  name: 'create-mapping-association',
  summary: 'Maps one account to the reporting concept that it rolls up into.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_mapping_association', tag: 'extensions_robo_ledger' },
  input: createMappingAssociationOperation,
  output: associationResponse,
  mcp: { hint: 'Maps one account to the reporting concept that it rolls up into.' },
  services: { authoring },
  stale: 'mapping_association_created',
  errors: {
    NOT_FOUND: { kind: 'not_found', meaning: 'The mapping is not in this graph.' },
    SOURCE_NOT_FOUND: { kind: 'refused', meaning: 'The source element does not exist.' },
    TARGET_NOT_FOUND: { kind: 'refused', meaning: 'The target element does not exist.' },
    INVALID_INPUT:
      'The source is not an active account, the target is a total or not a reporting concept, or a closed month is affected.',
    ASSOCIATION_EXISTS: { kind: 'conflict', meaning: 'The arc already exists.' },
    ACCOUNT_ALREADY_MAPPED: {
      kind: 'conflict',
      meaning: 'The account is mapped to another concept; delete that arc first.',
    },
    LIBRARY_IMMUTABLE: { kind: 'forbidden', meaning: 'The mapping or the source belongs to the shipped library.' },
  },
  async handle({ input, ctx, use }) {
    return use.authoring.mappings.add({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, input);
  },
});
