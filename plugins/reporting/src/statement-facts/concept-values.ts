import type { StatementStructure } from '@pacioli/taxonomy';
import type { ColumnValues } from '../statements/index.ts';

/** A concept that two statements give different values in one column. */
export interface ValueConflict {
  readonly column: number;
  readonly qname: string;
  readonly own: bigint;
  readonly known: bigint;
}

/** One value for each concept and column, in all statements (reporting F-7). */
export class ConceptValues {
  readonly #columns: readonly Map<string, bigint>[];
  /** Lines of the statements added so far, which alone decide whether their concepts have a value. */
  readonly #lines = new Set<string>();

  constructor(columnCount: number) {
    this.#columns = Array.from({ length: columnCount }, () => new Map());
  }

  get(column: number, qname: string): bigint | undefined {
    return this.#columns[column]?.get(qname);
  }

  /** The concepts with a value in the column. */
  qnames(column: number): Iterable<string> {
    return this.#columns[column]?.keys() ?? [];
  }

  /**
   * Adds the values of a statement. A line that an earlier statement has too keeps the value from there; the result
   * lists those of which this statement has another one.
   */
  add(network: Pick<StatementStructure, 'rows'>, columns: readonly ColumnValues[]): readonly ValueConflict[] {
    const isFlow = new Map(network.rows.map(({ qname, period }) => [qname, period === 'duration']));
    const conflicts: ValueConflict[] = [];
    for (const [column, values] of columns.entries()) {
      const known = this.#columns[column];
      if (known === undefined) throw new Error('A statement has more columns than the others.');
      // A balance of an earlier statement need not be part of this one; a flow that both present must be.
      const shared = [...this.#lines].filter((qname) => isFlow.get(qname) === true);
      for (const qname of new Set([...values.keys(), ...shared])) {
        const own = values.get(qname) ?? 0n;
        if (!this.#lines.has(qname) && !known.has(qname)) known.set(qname, own);
        else if ((known.get(qname) ?? 0n) !== own)
          conflicts.push({ column, qname, own, known: known.get(qname) ?? 0n });
      }
    }
    for (const { qname, isAbstract } of network.rows) if (!isAbstract) this.#lines.add(qname);
    return conflicts;
  }
}
