import type { LoadReject, RejectReason } from '@pacioli/core/ports';

const maxExamples = 20;

/** Counts the rejected rows of a load, with the first keys of each reason (graphs M-24). */
export class Rejects {
  readonly #byReason = new Map<RejectReason, { count: number; readonly examples: string[] }>();
  total = 0;
  longKeys = 0;

  add(reason: RejectReason, key: string): void {
    const known = this.#byReason.get(reason) ?? { count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < maxExamples) known.examples.push(key);
    this.#byReason.set(reason, known);
    this.total += 1;
  }

  /** A text that is too long for a key counts as a value that its column does not take. */
  addLongKey(key: string): void {
    this.longKeys += 1;
    this.add('cast', key);
  }

  list(): readonly LoadReject[] {
    return [...this.#byReason]
      .map(([reason, { count, examples }]) => ({ reason, count, examples }))
      .sort((left, right) => (left.reason < right.reason ? -1 : 1));
  }
}
