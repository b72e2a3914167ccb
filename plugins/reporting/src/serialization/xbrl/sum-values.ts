import { decimalUnits, scaleOf } from '../bundle/index.ts';

/** A part of a total. */
interface SumArc {
  readonly from: string;
  readonly to: string;
  /** By default 1. */
  readonly weight?: number | null;
}

/** A value of a total that differs from the weighted sum of its parts. */
interface UnequalTotal {
  readonly total: string;
  readonly aspects: string;
  readonly value: string;
}

/** The values of the concepts of some sums, by their other aspects; adding them again takes a read for each value. */
export class SumValues {
  readonly #values: ReadonlyMap<string, Map<string, string>>;

  constructor(arcs: readonly SumArc[]) {
    this.#values = new Map(arcs.flatMap(({ from, to }) => [from, to]).map((concept) => [concept, new Map()]));
  }

  /** Remembers a value of a concept, an exact decimal; one of a concept of no sum is ignored. */
  add(concept: string, aspects: string, value: string): void {
    this.#values.get(concept)?.set(aspects, value);
  }

  /** Adds the sums of some arcs, exactly. A total without any part of the same aspects is no sum. */
  unequalTotals(arcs: readonly SumArc[]): readonly UnequalTotal[] {
    const parts = new Map<string, SumArc[]>();
    for (const arc of arcs) {
      const own = parts.get(arc.from) ?? [];
      parts.set(arc.from, own);
      own.push(arc);
    }
    return [...parts].flatMap(([total, own]) => {
      return [...(this.#values.get(total) ?? [])]
        .filter(([aspects, value]) => !this.#isSum(value, aspects, own))
        .map(([aspects, value]) => ({ total, aspects, value }));
    });
  }

  #isSum(value: string, aspects: string, parts: readonly SumArc[]): boolean {
    const found = parts.flatMap(({ to, weight }) => {
      const part = this.#values.get(to)?.get(aspects);
      return part === undefined ? [] : [{ part, weight: weight ?? 1 }];
    });
    if (found.length === 0) return true;
    // A part that counts by a fraction cannot be added in whole units.
    if (found.some(({ weight }) => !Number.isInteger(weight))) return false;
    const scale = Math.max(scaleOf(value), ...found.map(({ part }) => scaleOf(part)));
    const sum = found.reduce((all, { part, weight }) => all + BigInt(weight) * decimalUnits(part, scale), 0n);
    return sum === decimalUnits(value, scale);
  }
}
