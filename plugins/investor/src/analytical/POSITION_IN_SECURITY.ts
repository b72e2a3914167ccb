import { defineRelationship, sql } from '@pacioli/core';
import type { InvestorPosition } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Position } from './Position.ts';
import { Security } from './Security.ts';

export const POSITION_IN_SECURITY = defineRelationship('POSITION_IN_SECURITY', Position, Security, {
  extension: 'investor',
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: InvestorPosition['id']; readonly to: InvestorPosition['security_id'] }>`
        SELECT id AS "from", security_id AS "to" FROM investor_position ORDER BY id`,
      rowsPerBatch,
    ),
});
