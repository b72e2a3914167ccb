/** The open brackets at the end of a masked statement, or of its part between two places. */
export function bracketDepth(masked: string, from = 0, until = masked.length): number {
  let depth = 0;
  for (let at = from; at < until; at += 1) depth += step(masked.charAt(at));
  return depth;
}

/** The place of the bracket that closes the one before `from`; the end of the statement if there is none. */
export function closingBracket(masked: string, from: number): number {
  let depth = 1;
  for (let at = from; at < masked.length; at += 1) {
    depth += step(masked.charAt(at));
    if (depth === 0) return at;
  }
  return masked.length;
}

/** The places of what is between the commas outside of brackets. */
export function splitAtCommas(
  masked: string,
  from = 0,
  until = masked.length,
): readonly (readonly [from: number, until: number])[] {
  const items: (readonly [number, number])[] = [];
  let depth = 0;
  let start = from;
  for (let at = from; at < until; at += 1) {
    const character = masked.charAt(at);
    depth += step(character);
    if (character !== ',' || depth !== 0) continue;
    items.push([start, at]);
    start = at + 1;
  }
  return [...items, [start, until]];
}

function step(character: string): number {
  if ('([{'.includes(character)) return 1;
  return ')]}'.includes(character) ? -1 : 0;
}
