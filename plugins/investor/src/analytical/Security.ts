import { defineNode, sql } from '@pacioli/core';
import { entitySources } from '@pacioli/ledger';
import type { InvestorSecurity } from '../rows.gen.ts';
import { projectedSecurities } from '../securities/index.ts';
import { rowsPerBatch } from '../values/index.ts';

/** Active securities, and inactive ones that positions refer to (graphs SC-32). */
export const Security = defineNode('Security', {
  summary: 'A security that portfolios hold.',
  extension: 'investor',
  properties: {
    name: 'STRING',
    security_type: 'STRING',
    security_subtype: 'STRING',
    is_active: 'BOOLEAN',
    ticker: 'STRING',
    figi: 'STRING',
    source_graph_id: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<SecurityRow>`
        SELECT s.id AS identifier, s.name, s.security_type, s.security_subtype, s.is_active, s.terms->>'ticker' AS ticker,
          s.terms->>'figi' AS figi, coalesce(s.source_graph_id, e.source_graph_id) AS source_graph_id
        FROM (${projectedSecurities(tx)}) AS s LEFT JOIN (${entitySources(tx)}) AS e ON e.entity_id = s.entity_id
        ORDER BY s.id`,
      rowsPerBatch,
    ),
});

type SecurityRow = Pick<InvestorSecurity, 'name' | 'security_type' | 'security_subtype' | 'is_active'> & {
  readonly identifier: InvestorSecurity['id'];
  readonly ticker: string | null;
  readonly figi: string | null;
  readonly source_graph_id: string | null;
};
