import { defineRelationship, sql } from '@pacioli/core';
import type { LedgerEntity, LedgerTransaction } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';
import { Entity } from './Entity.ts';
import { Transaction } from './Transaction.ts';

export const ENTITY_HAS_TRANSACTION = defineRelationship('ENTITY_HAS_TRANSACTION', Entity, Transaction, {
  extension: 'ledger',
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: LedgerEntity['id']; readonly to: LedgerTransaction['id'] }>`
        SELECT e.id AS "from", t.id AS "to" FROM ledger_transaction AS t
        JOIN LATERAL (SELECT id FROM ledger_entity WHERE graph_id = t.graph_id AND is_parent ORDER BY created_at, id LIMIT 1) AS e ON true
        ORDER BY t.id`,
      rowsPerBatch,
    ),
});
