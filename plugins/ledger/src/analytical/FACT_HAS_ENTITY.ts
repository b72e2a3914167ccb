import { Fact, factEntities } from '@pacioli/blocks';
import { defineRelationship, sql } from '@pacioli/core';
import type { LedgerEntity } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Entity } from './Entity.ts';

/** The company that a fact is about (graphs 6.3). */
export const FACT_HAS_ENTITY = defineRelationship('FACT_HAS_ENTITY', Fact, Entity, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: string; readonly to: LedgerEntity['id'] }>`
        SELECT f.fact_id AS "from", f.entity_id AS "to" FROM (${factEntities(tx)}) AS f ORDER BY f.fact_id`,
      rowsPerBatch,
    ),
});
