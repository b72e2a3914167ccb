import { defineNode, sql } from '@pacioli/core';
import type { TaxonomyElement } from '../rows.gen.ts';

const rowsPerBatch = 5_000;

/**
 * The concepts and accounts of the graph itself, without the shared library (graphs 6.1, SC-22). Retired accounts are
 * included, because past line items still refer to them.
 */
export const Element = defineNode('Element', {
  summary: 'A concept; an account is a concept of the chart.',
  properties: {
    uri: 'STRING',
    qname: 'STRING',
    name: 'STRING',
    period_type: 'STRING',
    type: 'STRING',
    balance: 'STRING',
    is_abstract: 'BOOLEAN',
    is_dimension_item: 'BOOLEAN',
    is_domain_member: 'BOOLEAN',
    is_hypercube_item: 'BOOLEAN',
    is_integer: 'BOOLEAN',
    is_numeric: 'BOOLEAN',
    is_shares: 'BOOLEAN',
    is_fraction: 'BOOLEAN',
    is_textblock: 'BOOLEAN',
    substitution_group: 'STRING',
    item_type: 'STRING',
    canonical_concept: 'STRING',
    canonical_confidence: 'DOUBLE',
  },
  rows: ({ tx, graphId }) =>
    tx.stream(
      sql<ElementRow>`
        SELECT id AS identifier, NULL::text AS uri, COALESCE('rl:' || code, qname) AS qname, name, period_type, element_type AS type,
          balance_type AS balance, is_abstract OR is_placeholder AS is_abstract, element_type = 'axis' AS is_dimension_item,
          element_type = 'member' AS is_domain_member, element_type = 'hypercube' AS is_hypercube_item, false AS is_integer,
          is_monetary AS is_numeric, false AS is_shares, false AS is_fraction, false AS is_textblock, NULL::text AS substitution_group,
          item_type, NULL::text AS canonical_concept, NULL::float8 AS canonical_confidence
        FROM taxonomy_element WHERE graph_id = ${graphId} ORDER BY id`,
      rowsPerBatch,
    ),
});

type ElementRow = Pick<TaxonomyElement, 'name' | 'period_type' | 'item_type'> & {
  readonly identifier: TaxonomyElement['id'];
  readonly uri: string | null;
  readonly qname: string | null;
  readonly type: TaxonomyElement['element_type'];
  readonly balance: TaxonomyElement['balance_type'];
  readonly is_abstract: boolean;
  readonly is_dimension_item: boolean;
  readonly is_domain_member: boolean;
  readonly is_hypercube_item: boolean;
  readonly is_integer: boolean;
  readonly is_numeric: TaxonomyElement['is_monetary'];
  readonly is_shares: boolean;
  readonly is_fraction: boolean;
  readonly is_textblock: boolean;
  readonly substitution_group: string | null;
  readonly canonical_concept: string | null;
  readonly canonical_confidence: number | null;
};
