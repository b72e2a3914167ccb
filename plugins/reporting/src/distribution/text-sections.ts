import { sql, type Transaction } from '@pacioli/core';
import type { SharedFact, SnapshotHead } from './share-snapshot.ts';

/** The sections of the texts of a copy whose structures the recipient does not have; only their names cross (D-7). */
export class TextSections {
  /** The names of those structures, by the fact set of the sender. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #sections = new Map<string, string>();

  constructor({ statements }: SnapshotHead, structureIds: ReadonlySet<string>) {
    this.#names = new Map(
      statements
        .filter(({ structure_id: id }) => !structureIds.has(id))
        .map(({ fact_set_id: setId, structure_name: name }) => [setId, name]),
    );
  }

  /** Collects the sections of the texts among facts of the sender. */
  add(facts: readonly SharedFact[]): void {
    for (const { factType, factSetId, elementId } of facts) {
      const name = this.#names.get(factSetId);
      if (factType !== 'Nonnumeric' || name === undefined || this.#sections.has(elementId)) continue;
      this.#sections.set(elementId, name);
    }
  }

  async store(tx: Transaction, reportId: string): Promise<void> {
    if (this.#sections.size === 0) return;
    const rows = [...this.#sections].map(([elementId, section]) => ({ element_id: elementId, section }));
    await tx.query(sql`
      insert into reporting_text_section (graph_id, report_id, element_id, section)
      select ${tx.graphId}, ${reportId}, r.element_id, r.section
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(element_id text, section text)`);
  }
}
