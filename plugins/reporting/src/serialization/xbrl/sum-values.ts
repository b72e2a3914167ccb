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
  /** The aspects of the fact other than its concept: entity, period, unit and members, as one text. */
  readonly aspects: string;
  readonly value: string;
}

/** The values of the totals and parts of some sums, by concept and other aspects, to add the sums up again. */
export class SumValues {
  readonly #values: ReadonlyMap<string, Map<string, string>>;

  constructor(arcs: readonly SumArc[]) {
    this.#values = new Map(arcs.flatMap(({ from, to }) => [from, to]).map((concept) => [concept, new Map()]));
  }

  /** Keeps an exact decimal, in place of an earlier one with the same aspects; ignores concepts that are in no sum. */
  add(concept: string, aspects: string, value: string): void {
    this.#values.get(concept)?.set(aspects, value);
  }

  /**
   * Adds up the sums of the arcs exactly, and returns the totals that differ. A total without any part of the same
   * aspects does not differ; one with a part of fractional weight always does.
   */
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
