import { model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';

const text = () => Type.Optional(nullable(Type.String()));

/** Fields of the company that a caller may change. */
const changeable = {
  name: text(),
  legal_name: text(),
  uri: text(),
  cik: text(),
  ticker: text(),
  exchange: text(),
  sic: text(),
  sic_description: text(),
  category: text(),
  state_of_incorporation: text(),
  fiscal_year_end: text(),
  tax_id: text(),
  lei: text(),
  industry: text(),
  entity_type: text(),
  phone: text(),
  website: text(),
  address_line1: text(),
  address_city: text(),
  address_state: text(),
  address_postal_code: text(),
  address_country: text(),
};

export const UpdateEntityRequest = model('UpdateEntityRequest', changeable);

export const LedgerEntityResponse = model('LedgerEntityResponse', {
  ...changeable,
  id: Type.String(),
  name: Type.String(),
  reporting_style_id: text(),
  status: Type.Optional(Type.String({ default: 'active' })),
  is_parent: Type.Optional(Type.Boolean({ default: true })),
  parent_entity_id: text(),
  source: Type.Optional(Type.String({ default: 'native' })),
  source_id: text(),
  source_graph_id: text(),
  connection_id: text(),
  created_at: text(),
  updated_at: text(),
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
  adoption_context: text(),
});
