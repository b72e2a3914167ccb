import { decimal, type FactStore, type StoredFact, type StoredFactSet } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import { boundsOf } from '@pacioli/core/calendar';
import type { StyleStatements } from '@pacioli/taxonomy';
import type { Decimal } from '../metrics/index.ts';

/** The statements of one month that exist in the books. */
export interface ActualMonth {
  /** `YYYY-MM`. */
  readonly period: string;
  readonly income: StoredFactSet | undefined;
  readonly balances: StoredFactSet | undefined;
  readonly cashFlow: StoredFactSet | undefined;
}

/** Values in currency units by qname. */
export type ActualValues = ReadonlyMap<string, Decimal>;

/** The months with actual statements of a style, from closes and from reports of a month (F-13, F-14). */
export class ActualMonths {
  readonly #facts: FactStore;
  readonly #style: StyleStatements;
  readonly #sets: readonly StoredFactSet[];

  private constructor(facts: FactStore, style: StyleStatements, sets: readonly StoredFactSet[]) {
    this.#facts = facts;
    this.#style = style;
    this.#sets = sets;
  }

  /** One statement. */
  static async read(
    tx: Transaction,
    facts: FactStore,
    of: { readonly style: StyleStatements; readonly entityId: string },
  ): Promise<ActualMonths> {
    const { incomeStatement, balanceSheet, cashFlowStatement } = of.style;
    const sets = await facts.sets(tx, {
      scenario: 'actuals',
      structureIds: [incomeStatement, balanceSheet, cashFlowStatement].map(({ structureId }) => structureId),
      entityId: of.entityId,
      factsetTypes: ['report'],
    });
    return new ActualMonths(facts, of.style, sets);
  }

  get hasIncome(): boolean {
    return this.#sets.some(({ structureId }) => structureId === this.#style.incomeStatement.structureId);
  }

  /** The months that were closed with an income statement, in order; a report of a month does not close it. */
  get closed(): readonly string[] {
    const { structureId } = this.#style.incomeStatement;
    const months = this.#sets.filter((set) => set.structureId === structureId && set.reportId === null && isMonth(set));
    return months.map(({ periodEnd }) => periodEnd.slice(0, 7)).toSorted();
  }

  /** The statements of a month: those of its close, else of its newest report. */
  month(period: string, only: 'closed' | 'any' = 'any'): ActualMonth {
    const { incomeStatement, balanceSheet, cashFlowStatement } = this.#style;
    // The sets are sorted newest first, those of a close before those of reports.
    const setOf = ({ structureId }: { readonly structureId: string }): StoredFactSet | undefined =>
      this.#sets.find(
        (set) =>
          set.structureId === structureId &&
          set.periodEnd === boundsOf(period).end &&
          isMonth(set) &&
          (only === 'any' || set.reportId === null),
      );
    const [income, balances, cashFlow] = [incomeStatement, balanceSheet, cashFlowStatement].map(setOf);
    return { period, income, balances, cashFlow };
  }

  /** The values of sets of months by set; a comparative column of a set is left out. One statement. */
  async values(
    tx: Transaction,
    sets: readonly (StoredFactSet | undefined)[],
  ): Promise<ReadonlyMap<string, ActualValues>> {
    const byId = new Map(sets.flatMap((set) => (set === undefined ? [] : [[set.id, set] as const])));
    if (byId.size === 0) return new Map();
    const { incomeStatement, balanceSheet, cashFlowStatement } = this.#style;
    const rows = [incomeStatement, balanceSheet, cashFlowStatement].flatMap((each) => each.rows);
    const qnames = new Map(rows.map(({ elementId, qname }) => [elementId, qname]));
    const facts = await this.#facts.facts(tx, { scenario: 'actuals', factSetIds: [...byId.keys()] });
    const values = new Map<string, Map<string, Decimal>>([...byId.keys()].map((id) => [id, new Map()]));
    for (const fact of facts) {
      const qname = qnames.get(fact.elementId);
      const set = byId.get(fact.factSetId);
      if (qname === undefined || set === undefined || fact.value === null || !isOwn(fact, set)) continue;
      values.get(fact.factSetId)?.set(qname, decimal(fact.value));
    }
    return values;
  }
}

function isMonth({ periodStart, periodEnd }: StoredFactSet): boolean {
  const { start, end } = boundsOf(periodEnd.slice(0, 7));
  return periodStart === start && periodEnd === end;
}

function isOwn(fact: StoredFact, set: StoredFactSet): boolean {
  if (fact.periodEnd !== set.periodEnd) return false;
  return fact.periodStart === null || set.periodStart === null || fact.periodStart >= set.periodStart;
}
