/** A statement of the same length with comments blanked and literals and quoted names reduced to quote characters. */
export interface MaskedStatement {
  readonly text: string;
  /** False if a comment, literal or quoted name is not terminated: then the mask is unreliable. */
  readonly complete: boolean;
}

/** Masks data so that it cannot be mistaken for code, in one scan from left to right (graphs 9.2). */
export function maskStatement(statement: string): MaskedStatement {
  const pieces: string[] = [];
  let at = 0;
  while (at < statement.length) {
    const sign = statement.charAt(at);
    const pair = statement.slice(at, at + 2);
    let end = at + 1;
    let mask = sign;
    if (pair === '/*' || pair === '//') {
      end = pair === '/*' ? endAfter(statement, '*/', at + 2) : lineEnd(statement, at);
      mask = ' ';
    } else if (sign === "'" || sign === '"') {
      end = literalEnd(statement, at);
      mask = "'";
    } else if (sign === '`') {
      end = endAfter(statement, '`', at + 1);
    }
    if (end < 0) return { text: pieces.join(''), complete: false };
    pieces.push(mask.repeat(end - at));
    at = end;
  }
  return { text: pieces.join(''), complete: true };
}

function endAfter(statement: string, closing: string, from: number): number {
  const found = statement.indexOf(closing, from);
  return found < 0 ? -1 : found + closing.length;
}

/** Engines differ on line terminators; ending at the first candidate never hides code in a comment. */
function lineEnd(statement: string, from: number): number {
  const length = statement.slice(from).search(/[\n\r\v\f\u0085\u2028\u2029]/);
  return length < 0 ? statement.length : from + length;
}

function literalEnd(statement: string, from: number): number {
  const quote = statement.charAt(from);
  for (let at = from + 1; at < statement.length; at += 1) {
    if (statement.charAt(at) === '\\') at += 1;
    else if (statement.charAt(at) === quote) return at + 1;
  }
  return -1;
}
