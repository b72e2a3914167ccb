import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const text = () => nullable(Type.String());

/** The fields of a company that a caller may change; null when unknown. */
export const changeableFields = {
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

/** The other fields of a company, which the books maintain. */
export const maintainedFields = {
  reporting_style_id: text(),
  parent_entity_id: text(),
  source_id: text(),
  source_graph_id: text(),
  connection_id: text(),
  created_at: text(),
  updated_at: text(),
};

export const LedgerEntity = model('LedgerEntity', {
  ...changeableFields,
  ...maintainedFields,
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  is_parent: Type.Boolean(),
  source: Type.String(),
});
