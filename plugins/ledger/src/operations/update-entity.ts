import { defineOperation, invalidInput, notFound, ServiceError } from '@pacioli/core';
import { entityStore } from '../composition/internal-tokens.ts';
import { LedgerEntityResponse, UpdateEntityRequest } from '../models/entity-changes.ts';
import { normalizedFields, problemOfEntity } from '../parties/index.ts';

export default defineOperation({
  name: 'update-entity',
  summary: 'Changes the details of the company whose books the graph keeps; omitted fields stay.',
  role: 'member',
  openapi: { id: 'update_entity', tag: 'extensions_robo_ledger' },
  input: UpdateEntityRequest,
  output: LedgerEntityResponse,
  services: { entityStore },
  stale: 'entity_updated',
  errors: {
    NO_FIELDS: { kind: 'refused', meaning: 'The request has no field to change.' },
    NOT_FOUND: 'The graph has no company.',
    INVALID_INPUT: 'A field is not in the format of its register; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const known = Object.keys(UpdateEntityRequest.properties);
    const given = Object.entries(input).filter(([name, value]) => value != null && known.includes(name));
    if (given.length === 0) throw new ServiceError('refused', 'NO_FIELDS', 'No fields provided for update.');
    const problem = problemOfEntity(input);
    if (problem !== undefined) throw invalidInput(problem);
    const fields = { ...Object.fromEntries(given), ...normalizedFields(input) };
    const changed = await use.entityStore.update(ctx.tx, fields, ctx.now());
    if (changed === undefined) throw notFound('This graph has no entity.');
    return changed;
  },
});
