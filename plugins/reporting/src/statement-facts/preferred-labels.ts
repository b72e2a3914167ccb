/** The role of the label that a place in a presentation shows (S-29, X-28). */
export type PreferredLabel = 'total' | 'periodStart' | 'periodEnd' | 'negated' | 'negatedTotal';

const known: Readonly<Record<string, PreferredLabel>> = {
  total: 'total',
  periodStart: 'periodStart',
  periodEnd: 'periodEnd',
  negated: 'negated',
  negatedTotal: 'negatedTotal',
};

/**
 * Reads the role that the author of an arc wrote: its address or its last part, with or without `Label`. Null for roles
 * of which elements have no label of their own, such as the terse one: those places show the standard label.
 */
export function preferredLabelOf(written: string | null): PreferredLabel | null {
  const name = (written ?? '').slice((written ?? '').lastIndexOf('/') + 1).replace(/Label$/, '');
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}

const suffixes: Readonly<Partial<Record<PreferredLabel, string>>> = {
  periodStart: ', beginning of period',
  periodEnd: ', end of period',
};

/** The label of an element in a role. Elements have one label, so a suffix distinguishes opening and closing balances. */
export function labelInRole(label: string, role: PreferredLabel | null): string {
  return `${label}${role === null ? '' : (suffixes[role] ?? '')}`;
}
