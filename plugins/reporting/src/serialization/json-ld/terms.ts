import type { ArcKind, PreferredLabel } from '../bundle/index.ts';

/** The roles of labels (reporting X-28). */
export const labelRoles: Readonly<Record<PreferredLabel, string>> = {
  total: 'http://www.xbrl.org/2003/role/totalLabel',
  periodStart: 'http://www.xbrl.org/2003/role/periodStartLabel',
  periodEnd: 'http://www.xbrl.org/2003/role/periodEndLabel',
  negated: 'http://www.xbrl.org/2009/role/negatedLabel',
  negatedTotal: 'http://www.xbrl.org/2009/role/negatedTotalLabel',
};

export const arcroles: Readonly<Record<ArcKind, string>> = {
  presentation: 'http://www.xbrl.org/2003/arcrole/parent-child',
  calculation: 'http://www.xbrl.org/2003/arcrole/summation-item',
};

/** The class of an activity by the origin of its facts (reporting X-6). */
export const activityTypes: Readonly<Record<string, string>> = {
  pivot: 'fin:Pivot',
  schedule: 'fin:Schedule',
  asserted: 'fin:Assertion',
  document: 'fin:DocumentBind',
  derived: 'fin:Derivation',
  forecast: 'fin:Forecast',
  filed: 'fin:Filing',
};

/** The measure of a unit (reporting X-35); a unit without a public name is a term of the service. */
export function measureOf(unit: string): string {
  if (unit === 'pure' || unit === 'shares') return `xbrli:${unit}`;
  return /^[A-Z]{3}$/.test(unit) ? `iso4217:${unit}` : `fin:unit-${encodeURIComponent(unit)}`;
}
