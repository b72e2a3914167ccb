import { defineRelationship, sql } from '@pacioli/core';
import { Entity } from '@pacioli/ledger';
import type { InvestorSecurity } from '../rows.gen.ts';
import { projectedSecurities } from '../securities/index.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Security } from './Security.ts';

/** The issuer of a security. */
export const ENTITY_ISSUES_SECURITY = defineRelationship('ENTITY_ISSUES_SECURITY', Entity, Security, {
  extension: 'investor',
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: NonNullable<InvestorSecurity['entity_id']>; readonly to: InvestorSecurity['id'] }>`
        SELECT s.entity_id AS "from", s.id AS "to" FROM (${projectedSecurities(tx)}) AS s
        WHERE s.entity_id IS NOT NULL ORDER BY s.id`,
      rowsPerBatch,
    ),
});
