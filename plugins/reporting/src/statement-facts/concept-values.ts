import type { StatementStructure } from '@pacioli/taxonomy';
import type { ColumnValues } from '../statements/index.ts';

/** A concept to which a statement gives another value in a column than an earlier statement does. */
export interface ValueConflict {
  readonly column: number;
  readonly qname: string;
  /** The value of the later statement; 0 if it has none. */
  readonly own: bigint;
  /** The value of the earlier statement, which stands; 0 if it has none. */
  readonly known: bigint;
}

/**
 * One value for each concept and column, in all statements (reporting F-7): that of the first statement that has the
 * concept. If it has the concept as a line and leaves it empty, the concept has no value, also if a later statement has one.
 */
export class ConceptValues {
  readonly #columns: readonly Map<string, bigint>[];
  /** The lines of the statements added so far. */
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
   * Adds the values of a statement that no earlier one has as a line; returns the others if they differ from the known
   * values. A flow that is a line of both statements counts as 0 where it has no value; a balance may be absent here.
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
