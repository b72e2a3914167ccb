import { model, nullable, oneOf } from '@pacioli/core';
import { type TProperties, Type } from 'typebox';
import { changeableFields, normalizedFields } from './LedgerEntity.ts';

/** The same fields, all optional. */
const partial = <Fields extends TProperties>(fields: Fields) => Type.Partial(Type.Object(fields)).properties;

export const UpdateEntityRequest = model('UpdateEntityRequest', partial(changeableFields));

export const LedgerEntityResponse = model('LedgerEntityResponse', {
  ...partial(changeableFields),
  ...partial(normalizedFields),
  id: Type.String(),
  name: Type.String(),
  status: Type.Optional(Type.String({ default: 'active' })),
  is_parent: Type.Optional(Type.Boolean({ default: true })),
  source: Type.Optional(Type.String({ default: 'native' })),
});

export const LinkEntityTaxonomyRequest = model('LinkEntityTaxonomyRequest', {
  taxonomy_id: Type.String(),
  basis: Type.Optional(
    oneOf(['chart_of_accounts', 'mapping', 'reporting', 'schedule'], { default: 'chart_of_accounts' }),
  ),
  is_primary: Type.Optional(Type.Boolean({ default: true })),
  adoption_context: Type.Optional(nullable(Type.String({ default: 'voluntary' }))),
});

export const EntityTaxonomyResponse = model('EntityTaxonomyResponse', {
  entity_id: Type.String(),
  taxonomy_id: Type.String(),
  basis: Type.String(),
  is_primary: Type.Boolean(),
  adoption_context: Type.Optional(nullable(Type.String())),
});
