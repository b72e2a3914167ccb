import { type Graphs, invalidInput, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { BlockWork, ElementGuard } from '../blocks/index.ts';
import {
  exclusionProblems,
  findLibraryView,
  type LibraryCatalog,
  type LibraryPin,
  type LibraryRows,
  type LibraryView,
  readPin,
} from '../library/index.ts';
import { dryRunUpgrade, mappedConceptIds, type PinUpgradeReport, refuseMissing } from './library-upgrade.ts';

const maxExcluded = 1_000;

/**
 * Pins and hidden concepts of each graph (taxonomy LB-9 to LB-12). `next` is the edition to move to, by default that of
 * this release.
 */
export interface LibraryViews {
  view(tx: Transaction): Promise<LibraryView>;
  /** Reports the effect of the edition on the graph; nothing is written (LB-12). */
  dryRun(tx: Transaction, next?: LibraryRows): Promise<PinUpgradeReport>;
  /** The pin of the graph when the edition does not contain it; such a pin blocks the start of the release (LB-9). */
  leftBehind(tx: Transaction, next?: LibraryRows): Promise<LibraryPin | undefined>;
  /** Moves the graph to a pin, marks it stale, and returns the report. Throws when a mapped concept is missing. */
  pin(work: BlockWork, value: unknown, next?: LibraryRows): Promise<PinUpgradeReport>;
  /**
   * Returns a pinned graph to the default edition, which follows the releases, and marks it stale. Throws when a mapped
   * concept is missing; the caller must roll back then.
   */
  unpin(work: BlockWork, next?: LibraryRows): Promise<void>;
  /** Replaces the hidden concepts of the graph. Throws for concepts that must stay visible (LB-10). */
  exclude(work: BlockWork, qnames: readonly string[]): Promise<void>;
}

interface ViewParts {
  readonly library: LibraryCatalog;
  readonly guards: readonly ElementGuard[];
  readonly graphs: Pick<Graphs, 'markStale'>;
}

/** Stores pins and hidden concepts by graph. */
export class StoredLibraryViews implements LibraryViews {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  view(tx: Transaction): Promise<LibraryView> {
    return findLibraryView(tx);
  }

  dryRun(tx: Transaction, next?: LibraryRows) {
    return dryRunUpgrade(tx, next ?? this.#parts.library.rows, this.#parts.guards);
  }

  async leftBehind(tx: Transaction, next: LibraryRows = this.#parts.library.rows): Promise<LibraryPin | undefined> {
    const { pin } = await findLibraryView(tx);
    return typeof readPin(pin, next.taxonomies) === 'string' ? pin : undefined;
  }

  async pin(work: BlockWork, value: unknown, next: LibraryRows = this.#parts.library.rows) {
    const pin = readPin(value, next.taxonomies);
    if (typeof pin === 'string') throw invalidInput(pin);
    const report = await this.dryRun(work.tx, next);
    refuseMissing(report);
    const { tx, userId, now } = work;
    await tx.query(sql`insert into taxonomy_view (graph_id, framework, overrides, updated_by, updated_at)
      values (${tx.graphId}, ${pin.framework}, ${JSON.stringify(pin.overrides)}::text::jsonb, ${userId}, ${now})
      on conflict (graph_id) do update set framework = excluded.framework, overrides = excluded.overrides,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`);
    await this.#parts.graphs.markStale(tx, tx.graphId, 'library_resynced');
    return report;
  }

  async unpin({ tx, userId, now }: BlockWork, next: LibraryRows = this.#parts.library.rows): Promise<void> {
    const unpinned = await tx.query(sql`update taxonomy_view set framework = null, overrides = '{}',
        updated_by = ${userId}, updated_at = ${now}
      where graph_id = ${tx.graphId} and framework is not null returning graph_id`);
    if (unpinned.length === 0) return;
    refuseMissing(await this.dryRun(tx, next));
    await this.#parts.graphs.markStale(tx, tx.graphId, 'library_resynced');
  }

  async exclude(work: BlockWork, qnames: readonly string[]): Promise<void> {
    const { library } = this.#parts;
    if (qnames.length > maxExcluded) throw invalidInput(`At most ${maxExcluded} concepts are hidden from one graph.`);
    const { tx, userId, now } = work;
    const problems = exclusionProblems(qnames, library, await mappedConceptIds(tx));
    if (problems.length > 0) {
      const list = problems.map(({ qname, reason }) => `${qname} (${reason})`).join(', ');
      throw invalidInput(`These concepts cannot be hidden: ${list}. Leave them out.`);
    }
    const ids = qnames.flatMap((qname) => library.elementByQname(qname)?.id ?? []);
    await tx.query(sql`insert into taxonomy_view (graph_id, excluded_ids, updated_by, updated_at)
      values (${tx.graphId}, ${ids}::text[], ${userId}, ${now})
      on conflict (graph_id) do update set excluded_ids = excluded.excluded_ids,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`);
  }
}
