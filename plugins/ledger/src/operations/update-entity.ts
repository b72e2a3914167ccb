import { defineOperation, invalidInput, model, notFound, ServiceError } from '@pacioli/core';
import { type TProperties, Type } from 'typebox';
import { books } from '../books.ts';
import { changeableFields, maintainedFields } from '../models/LedgerEntity.ts';
import { normalizedFields, problemOfEntity } from '../parties/index.ts';

/** The same fields, all optional. */
const partial = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields)).properties;

const UpdateEntityRequest = model('UpdateEntityRequest', partial(changeableFields));

const LedgerEntityResponse = model('LedgerEntityResponse', {
  ...partial(changeableFields),
  ...partial(maintainedFields),
  id: Type.String(),
  name: Type.String(),
  status: Type.Optional(Type.String({ default: 'active' })),
  is_parent: Type.Optional(Type.Boolean({ default: true })),
  source: Type.Optional(Type.String({ default: 'native' })),
});

export default defineOperation({
  name: 'update-entity',
  summary: 'Changes the details of the company whose books the graph keeps; omitted fields are left unchanged.',
  role: 'member',
  openapi: { id: 'update_entity', tag: 'extensions_robo_ledger' },
  input: UpdateEntityRequest,
  output: LedgerEntityResponse,
  mcp: { hint: 'Changes the details of the company whose books these are; omitted fields stay.', idempotent: true },
  services: { books },
  stale: 'entity_updated',
  errors: {
    NO_FIELDS: { kind: 'refused', meaning: 'The request has no field to change.' },
    LINKED_ENTITY: {
      kind: 'conflict',
      meaning: 'The only companies of the graph are linked to other graphs, which maintain them.',
    },
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
    const changed = await use.books.entities.update(ctx.tx, fields, ctx.now());
    if (changed !== undefined) return changed;
    // The only companies of the graph are issuers, whose details the next share would overwrite (investor H-14).
    if ((await use.books.entities.list(ctx.tx, 'linked')).length > 0) throw maintainedElsewhere();
    throw notFound('This graph has no entity.');
  },
});

function maintainedElsewhere(): ServiceError {
  return new ServiceError('conflict', 'LINKED_ENTITY', 'Linked entity is maintained by its source graph.');
}
