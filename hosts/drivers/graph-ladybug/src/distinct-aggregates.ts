import { GraphStoreError, maskStatement } from '@pacioli/core/ports';

/** A clause with a list of expressions, up to the next clause. `STARTS WITH` and `ENDS WITH` are operators. */
const projections =
  /(?:\bRETURN\b|(?<!\b(?:STARTS|ENDS)\s+)\bWITH\b)(?:\s+DISTINCT\b)?([\s\S]*?)(?=\b(?:ORDER\s+BY|SKIP|LIMIT|WHERE|OPTIONAL|MATCH|UNWIND|RETURN|UNION|CREATE|MERGE|SET|DELETE|DETACH|CALL)\b|(?<!\b(?:STARTS|ENDS)\s+)\bWITH\b|;|$)/gi;
const aggregates = /\b(?:count|sum|avg|min|max|collect)\s*\(\s*(DISTINCT\b)?/gi;

/**
 * Throws for a statement that the engine answers wrongly: among grouped rows, an aggregate after one with DISTINCT is null
 * or 0. In the other order it is right, and without groups too.
 */
export function requireOrderedAggregates(statement: string): void {
  const { text, complete } = maskStatement(statement);
  if (!complete || !/\(\s*DISTINCT\b/i.test(text)) return;
  for (const [, list = ''] of text.matchAll(projections)) {
    if (!isGrouped(list) || !hasAggregateAfterDistinct(list)) continue;
    throw new GraphStoreError(
      'runtime',
      'The engine returns wrong values for an aggregate after one with DISTINCT when rows are grouped. ' +
        'Write the aggregates with DISTINCT last, or in a WITH of their own.',
    );
  }
}

function hasAggregateAfterDistinct(list: string): boolean {
  const found = [...list.matchAll(aggregates)].map(([, distinct]) => distinct !== undefined);
  return found.includes(false) && found.lastIndexOf(false) > found.indexOf(true) && found.includes(true);
}

/** True if an expression of the list has no aggregate, by which the engine groups the rows. */
function isGrouped(list: string): boolean {
  return topLevelItems(list).some((item) => item.search(aggregates) < 0);
}

/** The expressions between the commas that are outside of brackets. */
function topLevelItems(list: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    const character = list.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (character !== ',' || depth > 0) continue;
    items.push(list.slice(from, at));
    from = at + 1;
  }
  return [...items, list.slice(from)];
}
