import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { TaxonomyView } from '../rows.gen.ts';
import { defaultPin, type LibraryPin } from './library-pin.ts';

/** The edition of the library that a graph uses, and the concepts that it hides. */
export interface LibraryView {
  readonly pin: LibraryPin;
  /** Concepts hidden from lists, searches and suggestions of the graph; single reads still return them. */
  readonly excludedIds: readonly string[];
}

/** The view of the transaction's graph: by default the default edition, with nothing hidden. */
export async function findLibraryView(tx: Transaction): Promise<LibraryView> {
  const [row] = await tx.query(
    sql<
      Pick<TaxonomyView, 'framework' | 'excluded_ids'> & { readonly overrides: Readonly<Record<string, string>> }
    >`select framework, overrides, excluded_ids from taxonomy_view where graph_id = ${tx.graphId}`,
  );
  if (row === undefined) return { pin: defaultPin, excludedIds: [] };
  const pin = { framework: row.framework ?? defaultPin.framework, overrides: row.overrides };
  return { pin, excludedIds: row.excluded_ids };
}
