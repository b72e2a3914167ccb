import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import { graphOf } from '../values/index.ts';
import { libraryGraphId } from './vocabulary.ts';

/** Rows of the graph itself and of the library. */
export function seen(tx: Transaction, alias: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.graph_id`)} in (${graphOf(tx)}, ${libraryGraphId})`;
}

/** The same without what the library has retired: lists show neither its concepts nor its arcs (taxonomy LB-5). */
export function seenInUse(tx: Transaction, alias: string): RawBuilder<unknown> {
  return sql`${seen(tx, alias)} and not ${sql.ref(`${alias}.is_deprecated`)}`;
}
