import { defineNode, sql } from '@pacioli/core';
import { projectedStructureIds, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyStructure } from '../rows.gen.ts';

/** The chart of accounts as one structure, and the active structures of the graph and of the library (graphs SC-25). */
export const Structure = defineNode('Structure', {
  summary: 'A network of elements, such as a statement or a disclosure; `type` is the type of its block.',
  properties: {
    uri: 'STRING',
    network_uri: 'STRING',
    definition: 'STRING',
    number: 'STRING',
    type: 'STRING',
    name: 'STRING',
    canonical_type: 'STRING',
    canonical_confidence: 'DOUBLE',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<StructureRow>`
        SELECT ${`${tx.graphId}_coa`} AS identifier, NULL::text AS uri, NULL::text AS network_uri,
          'Chart of Accounts' AS definition, '000001' AS number, 'ChartOfAccounts' AS type, 'Chart of Accounts' AS name,
          'ChartOfAccounts' AS canonical_type, 1.0::float8 AS canonical_confidence
        UNION ALL
        SELECT s.id, s.role_uri, s.role_uri, COALESCE(s.description, s.name), NULL, s.block_type, s.name, s.block_type,
          1.0::float8
        FROM taxonomy_structure s WHERE s.id IN (SELECT id FROM (${projectedStructureIds(tx)}) AS p)
        ORDER BY identifier`,
      rowsPerBatch,
    ),
});

type Text = string | null;
type StructureRow = Pick<TaxonomyStructure, 'name'> & {
  readonly identifier: TaxonomyStructure['id'];
  readonly uri: Text;
  readonly network_uri: Text;
  readonly definition: string;
  readonly number: Text;
  readonly type: TaxonomyStructure['block_type'];
  readonly canonical_type: TaxonomyStructure['block_type'];
  readonly canonical_confidence: number;
};
