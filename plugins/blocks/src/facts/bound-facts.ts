import { groupBy } from '@pacioli/taxonomy/expressions';
import type { Column } from '../models/rule-patterns.ts';
import type { BoundFact } from '../models/rules.ts';

/** The numeric facts of one set, indexed by element and column. */
export class BoundFacts {
  readonly #byElement: ReadonlyMap<string, readonly BoundFact[]>;

  constructor(facts: readonly BoundFact[]) {
    this.#byElement = groupBy(facts, ({ elementId }) => elementId);
  }

  /** The movement over exactly the column, or the balance at its end. */
  find(elementId: string, column: Column): BoundFact | undefined {
    const facts = this.#byElement.get(elementId) ?? [];
    const atEnd = facts.filter(({ periodEnd }) => periodEnd === column.end);
    return (
      atEnd.find(({ periodStart }) => periodStart === column.start) ??
      // Any column that ends on the same day has the same balance (F-3).
      atEnd.find(({ periodType }) => periodType === 'instant')
    );
  }

  /** The balance at the end of a day. */
  balanceAt(elementId: string, date: string): BoundFact | undefined {
    return this.#byElement
      .get(elementId)
      ?.find(({ periodType, periodEnd }) => periodType === 'instant' && periodEnd === date);
  }

  all(elementId: string): readonly BoundFact[] {
    return this.#byElement.get(elementId) ?? [];
  }

  /** The distinct periods; a balance without a start adds a column only if no other period ends on its date. */
  columns(): readonly Column[] {
    const found = new Map<string, Column>();
    const ends = new Set<string>();
    const facts = [...this.#byElement.values()].flat();
    for (const { periodStart: start, periodEnd: end } of facts) {
      if (start === null) continue;
      found.set(`${start} ${end}`, { start, end });
      ends.add(end);
    }
    for (const { periodStart, periodEnd: end } of facts) {
      if (periodStart === null && !ends.has(end)) found.set(end, { start: null, end });
    }
    return [...found.values()];
  }
}
