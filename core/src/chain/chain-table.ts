import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../store/store.ts';

/** A table whose rows are chained, and its columns that name a row in a message and order the rows. */
export interface ChainTable {
  readonly name: string;
  readonly subject: string;
  /** The identity column. */
  readonly place: string;
}

/** A position in a chain: the number of the last verified row and the hash that the next one continues. */
export interface ChainPosition {
  readonly seq: number;
  /** In hexadecimal digits. */
  readonly hash: string;
}

/** The result of verifying a part of a chain. */
export interface VerifiedPart {
  readonly broken: readonly string[];
  /** Undefined when there was nothing left to verify. */
  readonly end: ChainPosition | undefined;
}

/** The most rows that one statement verifies; batches count as a whole. */
export const rowsPerPart = 5_000;

/** The graph of the chain that belongs to the scope of a transaction; null for chains of the whole deployment. */
export const graphOf = (tx: Transaction): string | null => (tx.scope === 'kernel' ? null : tx.scope.graphId);

/** The condition on rows of the chain, in a query that names the chained table `t`. */
export function ownRows(tx: Transaction): RawBuilder<unknown> {
  const graph = graphOf(tx);
  return graph === null ? sql`true` : sql`t.graph_id = ${graph}`;
}

export const numbers = (first: number, last: number): string =>
  first === last ? `row ${first}` : `rows ${first} to ${last}`;
