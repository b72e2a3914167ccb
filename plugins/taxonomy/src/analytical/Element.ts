import { defineNode, sql } from '@pacioli/core';
import { canonicalConcepts, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { visible } from '../vocabulary/index.ts';

/**
 * The concepts and accounts of the graph, and all concepts of the library, to which facts and mappings refer (graphs
 * 6.1, SC-22, SC-31). Retired accounts are included, because past line items still refer to them.
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
  rows: ({ tx }) =>
    tx.stream(
      sql<ElementRow>`
        SELECT e.id AS identifier, NULL::text AS uri, COALESCE('rl:' || e.code, e.qname) AS qname, e.name, e.period_type,
          e.element_type AS type, e.balance_type AS balance, e.is_abstract OR e.is_placeholder AS is_abstract,
          e.element_type = 'axis' AS is_dimension_item, e.element_type = 'member' AS is_domain_member,
          e.element_type = 'hypercube' AS is_hypercube_item, COALESCE(e.item_type = 'integer', false) AS is_integer,
          e.is_monetary OR COALESCE(e.item_type IN ('shares', 'decimal', 'integer', 'per_share', 'ratio', 'percent',
            'multiple', 'days'), false) AS is_numeric,
          COALESCE(e.item_type = 'shares', false) AS is_shares, false AS is_fraction,
          COALESCE(e.item_type = 'text_block', false) AS is_textblock, NULL::text AS substitution_group, e.item_type,
          COALESCE(c.concept, CASE e.source WHEN 'fac' THEN split_part(e.qname, ':', 2) END) AS canonical_concept,
          CASE WHEN c.concept IS NOT NULL OR e.source = 'fac' THEN 1.0::float8 END AS canonical_confidence
        FROM taxonomy_element e LEFT JOIN (${canonicalConcepts()}) AS c ON c.element_id = e.id
        WHERE ${visible(tx, 'e')} ORDER BY e.id`,
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
  readonly is_numeric: boolean;
  readonly is_shares: boolean;
  readonly is_fraction: boolean;
  readonly is_textblock: boolean;
  readonly substitution_group: string | null;
  readonly canonical_concept: string | null;
  readonly canonical_confidence: number | null;
};
