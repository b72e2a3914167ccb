/** The check that sums in the functional currency omit no posted line (ledger L-5a). */
export const foreignLinesCheck = 'foreign_currency_lines';

/** The finding of the check; undefined when it passes. */
export function foreignLinesFinding(
  foreign: readonly { readonly currency: string; readonly lines: number }[],
  functional: string,
): string | undefined {
  if (foreign.length === 0) return undefined;
  const total = foreign.reduce((sum, { lines }) => sum + lines, 0);
  const are = total === 1 ? 'posted line is' : 'posted lines are';
  const list = foreign.map(({ currency, lines }) => `${currency} ${lines}`).join(', ');
  return `${foreignLinesCheck}: ${total} ${are} not in ${functional} and left out: ${list}`;
}
