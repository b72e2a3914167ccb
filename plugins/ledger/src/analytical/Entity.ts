import { defineNode, sql } from '@pacioli/core';
import type { LedgerEntity } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';

/** The companies of the graph (graphs 6.1, SC-21). */
export const Entity = defineNode('Entity', {
  summary: 'A company whose books are kept, or that is related to one.',
  properties: {
    uri: 'STRING',
    scheme: 'STRING',
    cik: 'STRING',
    ticker: 'STRING',
    exchange: 'STRING',
    name: 'STRING',
    legal_name: 'STRING',
    industry: 'STRING',
    entity_type: 'STRING',
    sic: 'STRING',
    sic_description: 'STRING',
    category: 'STRING',
    state_of_incorporation: 'STRING',
    fiscal_year_end: 'STRING',
    tax_id: 'STRING',
    lei: 'STRING',
    phone: 'STRING',
    website: 'STRING',
    status: 'STRING',
    is_parent: 'BOOLEAN',
    parent_entity_id: 'STRING',
    created_at: 'STRING',
    updated_at: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<EntityRow>`
        SELECT id AS identifier, uri, NULL::text AS scheme, cik, ticker, exchange, name, legal_name, industry, entity_type, sic, sic_description,
          category, state_of_incorporation, fiscal_year_end, tax_id, lei, phone, website, status, is_parent, parent_entity_id,
          to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at,
          to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS updated_at
        FROM ledger_entity ORDER BY id`,
      rowsPerBatch,
    ),
});

type Text = string | null;
type EntityRow = Pick<
  LedgerEntity,
  | 'uri'
  | 'cik'
  | 'ticker'
  | 'exchange'
  | 'name'
  | 'legal_name'
  | 'industry'
  | 'entity_type'
  | 'sic'
  | 'sic_description'
  | 'category'
  | 'state_of_incorporation'
  | 'fiscal_year_end'
  | 'tax_id'
  | 'lei'
  | 'phone'
  | 'website'
  | 'status'
  | 'is_parent'
  | 'parent_entity_id'
> & {
  readonly identifier: LedgerEntity['id'];
  readonly scheme: Text;
  readonly created_at: Text;
  readonly updated_at: Text;
};
