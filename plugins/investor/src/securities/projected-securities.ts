import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** Selects the rows of active securities, and of inactive ones that a position of any status refers to (graphs SC-32). */
export function projectedSecurities(tx: Transaction): RawBuilder<unknown> {
  return sql`SELECT s.* FROM investor_security AS s WHERE s.graph_id = ${tx.graphId} AND (s.is_active OR EXISTS (
    SELECT FROM investor_position AS p WHERE p.graph_id = s.graph_id AND p.security_id = s.id))`;
}
