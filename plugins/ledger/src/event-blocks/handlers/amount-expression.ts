import { ExpressionParser, type Token, type Tree } from '@pacioli/taxonomy/expressions';
import { maxAmount } from '../../values/index.ts';
import { maxTemplateCharacters, templateDialect } from './template-dialect.ts';
import { type Path, parsePath, pathToken, tooLarge } from './template-path.ts';

/**
 * The syntax tree of an amount in a handler's template, in minor units. All numbers are whole, so that every result is
 * exact; a quotient is rounded down. The right side of a product or quotient is a positive number.
 */
export type Amount = Tree<AmountOperand, AmountSign>;

export type AmountSign = '+' | '-' | '*' | '/';

type AmountOperand =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'max'; readonly operands: readonly Amount[] }
  | { readonly kind: 'split'; readonly of: Amount; readonly parts: number; readonly index: number };

type Parser = ExpressionParser<AmountOperand, AmountSign>;

const maxParts = 1_000;

const amounts = templateDialect<AmountOperand, AmountSign>({
  tokens: [pathToken, ['number', /\d+/y], ['word', /[a-z]+/y], ['sign', /[-+*/(),]/y]],
  levels: [
    { signs: ['+', '-'] },
    {
      signs: ['*', '/'],
      rightSide: (parser, sign) => number(positive(parser, sign === '*' ? 'a factor' : 'a divisor')),
    },
  ],
  operand: operandOf,
  messages: {
    tooLong: `an expression has at most ${maxTemplateCharacters} characters.`,
    unreadable: () => 'a {{ path }}, a whole number, + - * / or a function is expected here.',
    afterEnd: (found) => `'${found.text}' is not expected here.`,
  },
});

/**
 * Parses an amount: `{{ path }}` or a whole number, with + and - between terms, `* N` and `/ N` after one, parentheses,
 * max(a, b) and split(amount, parts, index). Throws a TemplateProblem (ledger L-103, L-105).
 */
export function parseAmount(text: string): Amount {
  return new ExpressionParser(text, amounts).all();
}

/** True when the amount depends on a value of the event or handler. */
export function hasPath(amount: Amount): boolean {
  switch (amount.kind) {
    case 'number':
      return false;
    case 'path':
      return true;
    case 'binary':
      return hasPath(amount.left) || hasPath(amount.right);
    case 'max':
      return amount.operands.some(hasPath);
    case 'split':
      return hasPath(amount.of);
  }
}

function operandOf(parser: Parser): Amount {
  const token = parser.next();
  if (token.kind === 'number') return number(minorUnits(parser, token));
  if (token.kind === 'path') return { kind: 'path', path: parsePath(parser.text, token.text, token.position) };
  if (token.text === '(') return parser.bracketed(parser.peek());
  if (token.text === 'max') return max(parser);
  if (token.text === 'split') return split(parser);
  throw parser.problem(token, 'a {{ path }}, a whole number, max(…) or split(…) is expected here.');
}

function max(parser: Parser): Amount {
  parser.expect('(');
  const operands = [argument(parser)];
  while (parser.peek().text === ',') {
    parser.next();
    operands.push(argument(parser));
  }
  parser.expect(')');
  return { kind: 'max', operands };
}

function split(parser: Parser): Amount {
  parser.expect('(');
  const of = argument(parser);
  parser.expect(',');
  const partsToken = parser.peek();
  const parts = Number(positive(parser, 'the number of parts'));
  if (parts > maxParts) throw parser.problem(partsToken, `an amount can be split into at most ${maxParts} parts.`);
  parser.expect(',');
  const indexToken = parser.peek();
  const index = Number(positive(parser, 'the number of the part, from 1,'));
  if (index > parts) throw parser.problem(indexToken, `there are only ${parts} parts, counted from 1.`);
  parser.expect(')');
  return { kind: 'split', of, parts, index };
}

function argument(parser: Parser): Amount {
  return parser.nested(parser.peek(), () => parser.expression());
}

function number(value: bigint): Amount {
  return { kind: 'number', value };
}

function positive(parser: Parser, name: string): bigint {
  const token = parser.next();
  const value = token.kind === 'number' ? minorUnits(parser, token) : 0n;
  if (value <= 0n) throw parser.problem(token, `${name} must be a positive whole number.`);
  return value;
}

function minorUnits(parser: Parser, token: Token): bigint {
  const value = BigInt(token.text);
  if (value > BigInt(maxAmount)) throw parser.problem(token, tooLarge);
  return value;
}
