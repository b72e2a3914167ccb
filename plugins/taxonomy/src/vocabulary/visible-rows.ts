import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import { libraryGraphId } from './vocabulary.ts';

/** Matches rows of the graph itself and of the library. */
export function visible(tx: Transaction, alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.graph_id`)} in (${tx.graphId}, ${libraryGraphId})`;
}

/**
 * Excludes retired rows of the library as well: lists show neither its retired concepts nor their arcs (taxonomy LB-5).
 */
export function visibleInUse(tx: Transaction, alias: string): RawBuilder<unknown> {
  return sql`${visible(tx, alias)} and not ${sql.ref(`${alias}.is_deprecated`)}`;
}
