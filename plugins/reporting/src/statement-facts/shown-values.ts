import type { NewFact } from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import type { Window } from '../statements/index.ts';
import type { StatementRowHead } from './compose-statements.ts';

type ShownFact = Pick<NewFact, 'elementId' | 'periodStart' | 'periodEnd' | 'periodType' | 'value'>;

/** Finds the number of a row in a column: the movement, the balance at its end, or the balance before it (S-30). */
export function shownValues(
  facts: readonly ShownFact[],
): (row: Pick<StatementRowHead, 'element_id' | 'sign' | 'is_opening'>, column: Window) => number | null {
  const inColumn = new Map<string, ShownFact>();
  const onDay = new Map<string, ShownFact>();
  for (const fact of facts) {
    inColumn.set(`${fact.elementId} ${fact.periodStart ?? ''} ${fact.periodEnd}`, fact);
    if (fact.periodType === 'instant') onDay.set(`${fact.elementId} ${fact.periodEnd}`, fact);
  }
  return ({ element_id: id, sign, is_opening: isOpening }, { start, end }) => {
    const fact = isOpening === true ? onDay.get(`${id} ${plusDays(start, -1)}`) : inColumn.get(`${id} ${start} ${end}`);
    if (fact?.value == null) return null;
    // The exact decimal is parsed once, at the wire (B-0.7). Zero has no sign.
    return Number(fact.value) * (sign ?? 1) || 0;
  };
}
