import { defineRelationship, sql } from '@pacioli/core';
import { factPeriods, rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';
import { Fact } from './Fact.ts';
import { Period } from './Period.ts';

export const FACT_HAS_PERIOD = defineRelationship('FACT_HAS_PERIOD', Fact, Period, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: BlocksFact['id']; readonly to: string }>`
        SELECT f.fact_id AS "from", f.period_id AS "to" FROM (${factPeriods(tx)}) AS f ORDER BY f.fact_id`,
      rowsPerBatch,
    ),
});
