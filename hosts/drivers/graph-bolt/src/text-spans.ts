/** A part of a statement, by the positions of its characters. */
export type Span = readonly [from: number, until: number];

/**
 * The first position in a span of a masked statement, outside of inner brackets, where `terminator` matches; the end of
 * the span if there is none.
 */
export function terminatorAt(masked: string, [from, until]: Span, terminator: RegExp): number {
  const form = new RegExp(terminator.source, `${terminator.flags}y`);
  let depth = 0;
  for (let at = from; at < until; at += 1) {
    form.lastIndex = at;
    if (depth === 0 && form.test(masked)) return at;
    const character = masked.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
  }
  return until;
}

/** The name that a statement means: without its backticks, of which two inside stand for one. */
export function unquotedName(given: string): string {
  return given.startsWith('`') ? given.slice(1, -1).replaceAll('``', '`') : given;
}
