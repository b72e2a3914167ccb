/**
 * Returns true if every row that the policy expression allows meets one of the conditions in `allowed`. Expects the
 * text that PostgreSQL prints for the stored expression, with parentheses around each operand of AND and OR.
 */
export function isLimitedTo(expression: string, allowed: ReadonlySet<string>): boolean {
  const text = withoutParentheses(expression.trim());
  if (allowed.has(text)) return true;
  const alternatives = operandsOf(text, ' OR ');
  const conditions = operandsOf(text, ' AND ');
  if (alternatives.length > 1 && conditions.length > 1) return false;
  if (alternatives.length > 1) return alternatives.every((each) => isLimitedTo(each, allowed));
  return conditions.length > 1 && conditions.some((each) => isLimitedTo(each, allowed));
}

function withoutParentheses(text: string): string {
  let inner = text;
  while (inner.startsWith('(') && closingOf(inner) === inner.length - 1) inner = inner.slice(1, -1).trim();
  return inner;
}

/** The index of the parenthesis that closes the first one. */
function closingOf(text: string): number {
  let closing = -1;
  walk(text, (index, depth) => {
    if (closing === -1 && depth === 0 && text[index] === ')') closing = index;
  });
  return closing;
}

function operandsOf(text: string, operator: string): readonly string[] {
  const operands: string[] = [];
  let start = 0;
  walk(text, (index, depth) => {
    if (depth !== 0 || !text.startsWith(operator, index)) return;
    operands.push(text.slice(start, index));
    start = index + operator.length;
  });
  return [...operands, text.slice(start)];
}

/** Visits each character outside of quotes with the depth of parentheses after it. */
function walk(text: string, visit: (index: number, depth: number) => void): void {
  let depth = 0;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      continue;
    }
    if (character === "'" || character === '"') quote = character;
    else {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      visit(index, depth);
    }
  }
}
