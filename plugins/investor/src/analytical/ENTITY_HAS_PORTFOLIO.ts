import { defineRelationship, sql } from '@pacioli/core';
import { Entity } from '@pacioli/ledger';
import type { InvestorPortfolio } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Portfolio } from './Portfolio.ts';

/** The company that owns a portfolio. */
export const ENTITY_HAS_PORTFOLIO = defineRelationship('ENTITY_HAS_PORTFOLIO', Entity, Portfolio, {
  extension: 'investor',
  properties: { ownership_type: 'STRING' },
  rows: ({ tx }) =>
    tx.stream(
      sql<{
        readonly from: NonNullable<InvestorPortfolio['entity_id']>;
        readonly to: InvestorPortfolio['id'];
        readonly ownership_type: string;
      }>`
        SELECT entity_id AS "from", id AS "to", 'direct' AS ownership_type FROM investor_portfolio
        WHERE entity_id IS NOT NULL ORDER BY id`,
      rowsPerBatch,
    ),
});
