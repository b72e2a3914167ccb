import { type Graphs, invalidInput, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { BlockWork, ElementGuard } from '../block-tokens.ts';
import { defaultPin, exclusionProblems, type LibraryPin, type LibraryRows, readPin } from '../library/index.ts';
import type { LibraryView, LibraryViews } from '../library-views.ts';
import type { TaxonomyView } from '../rows.gen.ts';
import type { Library } from '../tokens.ts';
import { dryRunUpgrade, mappedConceptIds, refuseMissing } from './library-upgrade.ts';

const maxExcluded = 1_000;

interface ViewParts {
  readonly library: Library;
  readonly guards: readonly ElementGuard[];
  readonly graphs: Pick<Graphs, 'markStale'>;
}

/** Stores pins and hidden concepts by graph. */
export class StoredLibraryViews implements LibraryViews {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  async view(tx: Transaction): Promise<LibraryView> {
    const [row] = await tx.query(
      sql<
        Pick<TaxonomyView, 'framework' | 'excluded_ids'> & { readonly overrides: Readonly<Record<string, string>> }
      >`select framework, overrides, excluded_ids from taxonomy_view where graph_id = ${tx.graphId}`,
    );
    if (row === undefined) return { pin: defaultPin, excludedIds: [] };
    const pin = { framework: row.framework ?? defaultPin.framework, overrides: row.overrides };
    return { pin, excludedIds: row.excluded_ids };
  }

  dryRun(tx: Transaction, next?: LibraryRows) {
    return dryRunUpgrade(tx, next ?? this.#parts.library.rows, this.#parts.guards);
  }

  async leftBehind(tx: Transaction, next: LibraryRows = this.#parts.library.rows): Promise<LibraryPin | undefined> {
    const { pin } = await this.view(tx);
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
