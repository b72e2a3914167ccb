import { defineRelationship, sql } from '@pacioli/core';
import { factUnits, rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';
import { Fact } from './Fact.ts';
import { Unit } from './Unit.ts';

/** Texts have no unit. */
export const FACT_HAS_UNIT = defineRelationship('FACT_HAS_UNIT', Fact, Unit, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: BlocksFact['id']; readonly to: string }>`
        SELECT f.fact_id AS "from", f.unit_id AS "to" FROM (${factUnits(tx)}) AS f ORDER BY f.fact_id`,
      rowsPerBatch,
    ),
});
