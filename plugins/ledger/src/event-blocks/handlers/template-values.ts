import type { Amount, AmountSign } from './amount-expression.ts';
import { type Path, parsePath, TemplateProblem } from './template-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The values that the paths of a template can read (ledger L-103). */
export interface TemplateScope {
  readonly event: Fields;
  readonly handler: Fields;
}

/** The reason why a template cannot be filled from an event. */
export class ValueProblem extends Error {}

/** The exact value of an amount, which may be negative. Throws a ValueProblem (ledger L-104). */
export function amountOf(amount: Amount, scope: TemplateScope): bigint {
  switch (amount.kind) {
    case 'number':
      return amount.value;
    case 'path':
      return wholeNumber(amount.path, valueAt(amount.path, scope));
    case 'binary':
      return calculate(amountOf(amount.left, scope), amount.sign, amountOf(amount.right, scope));
    case 'max':
      return largest(amount.operands.map((each) => amountOf(each, scope)));
    case 'split':
      return partOf(amountOf(amount.of, scope), BigInt(amount.parts), BigInt(amount.index));
  }
}

function calculate(left: bigint, sign: AmountSign, right: bigint): bigint {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return floored(left, right);
  }
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((best, amount) => {
    if (amount > best) return amount;
    return best;
  });
}

/** The quotient rounded toward negative infinity. */
function floored(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  return amount % divisor < 0n ? quotient - 1n : quotient;
}

/** One of the parts of an amount; together they are the amount, and no two differ by more than one minor unit. */
function partOf(amount: bigint, parts: bigint, index: bigint): bigint {
  return floored(amount * index, parts) - floored(amount * (index - 1n), parts);
}

function wholeNumber(path: Path, value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,16}$/.test(value)) return BigInt(value);
  throw new ValueProblem(`'${nameOf(path)}' is ${JSON.stringify(value)}; a whole number of minor units is required.`);
}

/** Replaces the `{{ path }}` parts of a text with their values; text outside the braces stays as it is. */
export function textOf(text: string, scope: TemplateScope): string {
  return piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : asText(piece, valueAt(piece, scope))))
    .join('');
}

/** The literal parts and the paths of a text, in order. Throws a TemplateProblem. */
export function piecesOf(text: string): readonly (string | Path)[] {
  const pieces: (string | Path)[] = [];
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('{{', from);
    const end = open < 0 ? text.length : open;
    const stray = text.slice(from, end).indexOf('}}');
    if (stray >= 0) throw new TemplateProblem(text, from + stray, 'the braces that close here were never opened.');
    if (open < 0) return [...pieces, text.slice(from)];
    const close = text.indexOf('}}', open);
    if (close < 0) throw new TemplateProblem(text, open, 'the braces that open here are never closed.');
    if (open > from) pieces.push(text.slice(from, open));
    pieces.push(parsePath(text, text.slice(open, close + 2), open));
    from = close + 2;
  }
  return pieces;
}

function asText(path: Path, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  throw new ValueProblem(`'${nameOf(path)}' is ${JSON.stringify(value)}; text is required.`);
}

/** The value at a path. Throws a ValueProblem for a missing field, unless the path has a default. */
export function valueAt(path: Path, scope: TemplateScope): unknown {
  let value: unknown = scope[path.root];
  for (const name of path.names) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isInside) {
      if (path.fallback !== undefined) return path.fallback;
      throw new ValueProblem(
        `Field '${name}' not found while resolving '${nameOf(path)}'. Send it with the event, or give the path a default.`,
      );
    }
    // Safe: the lines above have checked that the value is an object with this own field.
    value = (value as Fields)[name];
  }
  return value === null && path.fallback !== undefined ? path.fallback : value;
}

function nameOf(path: Path): string {
  return [path.root, ...path.names].join('.');
}
