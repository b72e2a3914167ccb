import { type ColumnValues, type Line, resolve } from '../statements/index.ts';

/** The lines of one statement with their calculation (S-19). */
export class LineTree {
  readonly #lines: readonly Line[];
  readonly #byName: ReadonlyMap<string, Line>;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#byName = new Map(lines.filter((line) => !line.isAbstract).map((line) => [line.qname, line]));
  }

  has(qname: string): boolean {
    return this.#byName.has(qname);
  }

  isLeaf(qname: string): boolean {
    return this.#byName.get(qname)?.calculation.length === 0;
  }

  isTotal(qname: string): boolean {
    return (this.#byName.get(qname)?.calculation.length ?? 0) > 0;
  }

  /** In print order. */
  get leaves(): readonly Line[] {
    return this.#lines.filter(({ qname }) => this.isLeaf(qname));
  }

  /** The lines at and below a line with the sign with which each enters it; the line itself first. */
  signsBelow(qname: string): ReadonlyMap<string, bigint> {
    const signs = new Map([[qname, 1n]]);
    // A map keeps its order and is extended while it is read.
    for (const [name, sign] of signs) {
      for (const part of this.#byName.get(name)?.calculation ?? []) {
        if (!signs.has(part.qname)) signs.set(part.qname, sign * BigInt(Math.sign(part.weight)));
      }
    }
    return signs;
  }

  /**
   * The amounts from which all values of a statement follow: those of its leaves, and what a total holds beyond its
   * parts (S-32).
   */
  ownOf(values: ReadonlyMap<string, bigint>): Map<string, bigint> {
    const own = new Map<string, bigint>();
    for (const { qname, calculation } of this.#byName.values()) {
      const value = values.get(qname);
      if (value === undefined) continue;
      const parts = calculation.reduce((sum, part) => sum + (values.get(part.qname) ?? 0n) * signOf(part.weight), 0n);
      if (calculation.length === 0 || value !== parts) own.set(qname, value - parts);
    }
    return own;
  }

  /** The value of one line; undefined without an amount at or below it. */
  valueOf(own: ReadonlyMap<string, bigint>, qname: string): bigint | undefined {
    const found = [...this.signsBelow(qname)].flatMap(([name, sign]) => {
      const amount = own.get(name);
      return amount === undefined ? [] : [amount * sign];
    });
    return found.length === 0 ? undefined : found.reduce((sum, amount) => sum + amount, 0n);
  }

  /** Every line with an amount at or below it. */
  valuesOf(own: ReadonlyMap<string, bigint>): ColumnValues {
    return resolve(this.#lines, own);
  }
}

function signOf(weight: number): bigint {
  return BigInt(Math.sign(weight));
}
